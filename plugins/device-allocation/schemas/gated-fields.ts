/** The options of a gated field: its description, its first version, and the gate. */
const gated =
  <const S extends string>(since: S, gate: string) =>
  (description: string) =>
    ({ description, since, gate }) as const

export const forBinding = gated('1.34', 'DRADeviceBindingConditions')
export const forPartitions = gated('1.33', 'DRAPartitionableDevices')
export const forSharing = gated('1.34', 'DRAConsumableCapacity')
export const forTaints = gated('1.33', 'DRADeviceTaints')

/** The same for fields that servers before 1.35 store whether or not the gate is on. */
const gatedLater =
  <const S extends string>(since: S, gate: string) =>
  (description: string) =>
    ({ description, since, revised: [{ since: '1.35', additive: true, to: { gate } }] }) as const

export const forDistinction = gatedLater('1.34', 'DRAConsumableCapacity')
export const forTolerations = gatedLater('1.33', 'DRADeviceTaints')

/** The time of an allocation is stored without its gate since 1.35. */
export const forAllocationTime = (description: string) =>
  ({ ...forBinding(description), revised: [{ since: '1.35', additive: true, to: { gate: undefined } }] }) as const

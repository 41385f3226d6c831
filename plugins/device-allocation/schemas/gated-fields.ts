/** The options of a gated field: its description, its first version, and the gate. */
const gated =
  <const S extends string>(since: S, gate: string) =>
  (description: string) =>
    ({ description, since, gate }) as const

export const forBinding = gated('1.34', 'DRADeviceBindingConditions')
export const forPartitions = gated('1.33', 'DRAPartitionableDevices')
export const forSharing = gated('1.34', 'DRAConsumableCapacity')
export const forTaints = gated('1.33', 'DRADeviceTaints')

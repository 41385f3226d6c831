import type { Device, NestedDevice, NestedSlice, ResourceSlice } from './schema.js'

type Capacities = NonNullable<Device['capacity']>
const mapValues = <A, B>(map: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]))

/**
 * Older versions have everything but the name of a device in a struct of its own; the oldest only has amounts as capacities. What
 * v1 leaves unset is empty there.
 */
export function convertNested(capacities: 'structs' | 'amounts') {
  const isAmount = capacities === 'amounts'
  const flat = ({ name, basic = {} }: NestedDevice): Device => {
    const { capacity, ...rest } = basic
    if (!capacity) return { name, ...rest }
    return {
      name,
      ...rest,
      capacity: isAmount ? mapValues(capacity, value => ({ value: value as unknown as string })) : capacity,
    }
  }
  const nested = ({ name, capacity, ...basic }: Device): NestedDevice => {
    if (!capacity) return { name, basic }
    const shown = isAmount ? (mapValues(capacity, ({ value }) => value) as unknown as Capacities) : capacity
    return { name, basic: { ...basic, capacity: shown } }
  }
  return {
    defaults: ({ spec }: NestedSlice): void => {
      for (const device of spec.devices ?? []) device.basic ??= {}
    },
    toStorage: (slice: NestedSlice): ResourceSlice => {
      const { devices, nodeName, allNodes, ...spec } = slice.spec
      return {
        ...slice,
        spec: {
          ...spec,
          ...(nodeName ? { nodeName } : {}),
          ...(allNodes ? { allNodes } : {}),
          ...(devices ? { devices: devices.map(flat) } : {}),
        },
      }
    },
    fromStorage: (slice: ResourceSlice): NestedSlice => {
      const { devices, ...spec } = slice.spec
      return { ...slice, spec: { ...spec, ...(devices ? { devices: devices.map(nested) } : {}) } }
    },
  }
}

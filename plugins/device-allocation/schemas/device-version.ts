/** The versions that share their fields; older ones nest some of them differently. */
export type DeviceVersion = 'v1' | 'v1beta2' | 'v1beta1' | 'v1alpha3'

/** The name of a type in a version. */
export const named = (version: DeviceVersion, name: string) => `resource.${version}.${name}`

/** The versions that share their fields; older ones nest some of them differently. */
export type DeviceVersion = 'v1' | 'v1beta2' | 'v1beta1' | 'v1alpha3'

/** The name of a type in a version. */
export const named = (version: DeviceVersion, name: string) => `resource.${version}.${name}`

/** Fields that only one of the versions has. They are not known to the compiler: nothing depends on them. */
export const onlyIn = (isThere: boolean, fields: Record<string, unknown>) =>
  (isThere ? fields : {}) as Record<never, never>

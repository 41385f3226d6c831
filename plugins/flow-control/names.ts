import type { Vendor } from 'orch/sdk'

/** Every vendor-derived name of this plugin. */
export function flowControlNames(vendor: Vendor) {
  const group = vendor.group('flowcontrol.apiserver')
  const { name } = vendor.profile
  const header = (of: string) => `X-${name.charAt(0).toUpperCase()}${name.slice(1)}-PF-${of}-UID`
  return {
    group,
    level: vendor.level,
    /** `true` on built-in objects whose spec the server maintains. */
    autoUpdateAnnotation: vendor.qualify('autoupdate-spec', 'apf'),
    /** Marks 0 shares as meant in a version in which they otherwise mean that none are set. */
    zeroSharesAnnotation: `${vendor.group('flowcontrol')}/v1beta3-preserve-zero-concurrency-shares`,
    flowSchemaHeader: header('FlowSchema'),
    priorityLevelHeader: header('PriorityLevel'),
    flowSchemas: { group, version: 'v1', resource: 'flowschemas' },
    priorityLevels: { group, version: 'v1', resource: 'prioritylevelconfigurations' },
    coordination: vendor.group('coordination'),
    systemNamespace: vendor.profile.namespaces.system,
    /** Prefix of the names of schemas for system accounts. */
    prefix: vendor.profile.objectPrefix,
    users: vendor.profile.users,
  }
}
export type FlowControlNames = ReturnType<typeof flowControlNames>

/** Objects that always exist and cannot be changed. */
export const exempt = 'exempt'
export const catchAll = 'catch-all'

import type { Vendor } from 'orch/sdk'
import type { PolicyRule, RoleRef, Subject } from '../rules/schema.js'

/** A role that exists from the first start. */
export interface DefaultRole {
  readonly name: string
  readonly rules: PolicyRule[]
  readonly labels?: Readonly<Record<string, string>>
  /** Labels of the roles whose rules it collects. */
  readonly collects?: Readonly<Record<string, string>>
}

/** A binding that exists from the first start. */
export interface DefaultBinding {
  readonly name: string
  readonly roleRef: RoleRef
  readonly subjects: Subject[]
}

/** Roles and bindings of one namespace. */
export interface DefaultNamespacePolicy {
  readonly namespace: string
  readonly roles: readonly DefaultRole[]
  readonly bindings: readonly DefaultBinding[]
}

export const role = (name: string, rules: PolicyRule[]): DefaultRole => ({ name, rules })

const words = (text: string): string[] => text.split(' ')

/** A rule about resources; resources and verbs are separated by blanks. */
export const on = (
  groups: string | readonly string[],
  resources: string,
  verbs: string,
  resourceNames?: readonly string[],
): PolicyRule => ({
  verbs: words(verbs),
  apiGroups: typeof groups === 'string' ? [groups] : [...groups],
  resources: words(resources),
  ...(resourceNames === undefined ? {} : { resourceNames: [...resourceNames] }),
})

/** A rule about paths outside the resource API; paths and verbs are separated by blanks. */
export const onPaths = (paths: string, verbs: string): PolicyRule => ({
  verbs: words(verbs),
  nonResourceURLs: words(paths),
})

export const read = 'get list watch'
export const write = 'create delete deletecollection patch update'

/** The API groups of the default rules. Those without a domain are the same for every vendor. */
export const defaultGroups = (vendor: Vendor) => ({
  core: '',
  apps: 'apps',
  autoscaling: 'autoscaling',
  batch: 'batch',
  extensions: 'extensions',
  policy: 'policy',
  authentication: vendor.group('authentication'),
  authorization: vendor.group('authorization'),
  certificates: vendor.group('certificates'),
  coordination: vendor.group('coordination'),
  customMetrics: vendor.group('custom.metrics'),
  admissionregistration: vendor.group('admissionregistration'),
  discovery: vendor.group('discovery'),
  events: vendor.group('events'),
  externalMetrics: vendor.group('external.metrics'),
  metrics: vendor.group('metrics'),
  networking: vendor.group('networking'),
  node: vendor.group('node'),
  rbac: vendor.group('rbac.authorization'),
  resource: vendor.group('resource'),
  storage: vendor.group('storage'),
  /** Nearly every component records events. */
  recordEvents: on(['', vendor.group('events')], 'events', 'create patch update'),
})

/** The names under which the vendor's components act: their user names without `system:`. */
export function componentNames({ profile }: Vendor) {
  const bare = (user: string) => user.replace(/^system:/, '')
  const scheduler = bare(profile.users.scheduler)
  const prefix = scheduler.replace(/scheduler$/, '')
  return {
    controllerManager: bare(profile.users.controllerManager),
    scheduler,
    dns: `${prefix}dns`,
    aggregator: `${prefix}aggregator`,
  }
}

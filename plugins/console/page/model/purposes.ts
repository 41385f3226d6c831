import { listableTypes } from './catalogue.js'
import type { ResourceType } from './resource-type.js'
import { settings } from './session.js'

/** The purposes of types, for users who do not know their API groups. */

export const purposes = [
  'Workloads',
  'Network',
  'Storage',
  'Configuration',
  'Access',
  'Policies',
  'Cluster',
  'Extensions',
] as const
export type Purpose = (typeof purposes)[number]

const ofCore: Readonly<Record<string, Purpose>> = {
  pods: 'Workloads',
  replicationcontrollers: 'Workloads',
  podtemplates: 'Workloads',
  services: 'Network',
  endpoints: 'Network',
  persistentvolumes: 'Storage',
  persistentvolumeclaims: 'Storage',
  configmaps: 'Configuration',
  secrets: 'Configuration',
  serviceaccounts: 'Access',
  resourcequotas: 'Policies',
  limitranges: 'Policies',
}
/** By the first label of the group, which is the same for every vendor. */
const ofGroups: Readonly<Record<string, Purpose>> = {
  apps: 'Workloads',
  batch: 'Workloads',
  autoscaling: 'Workloads',
  networking: 'Network',
  discovery: 'Network',
  storage: 'Storage',
  rbac: 'Access',
  authentication: 'Access',
  authorization: 'Access',
  certificates: 'Access',
  policy: 'Policies',
  admissionregistration: 'Policies',
  flowcontrol: 'Policies',
  scheduling: 'Policies',
  apiextensions: 'Extensions',
  apiregistration: 'Extensions',
  plugins: 'Extensions',
  events: 'Cluster',
  coordination: 'Cluster',
  node: 'Cluster',
  resource: 'Cluster',
}

/** Built-in groups have a single label, or the suffix of the vendor. */
function isOfServer(group: string): boolean {
  const suffix = settings.value.groups.events.replace(/^events/, '')
  return !group.includes('.') || group.endsWith(suffix)
}

/** Undefined for custom types, which are listed by group. */
export function purposeOf({ group, resource }: ResourceType): Purpose | undefined {
  if (group === '') return ofCore[resource] ?? 'Cluster'
  return isOfServer(group) ? ofGroups[group.split('.')[0] ?? ''] : undefined
}
export const isCustom = (type: ResourceType): boolean => purposeOf(type) === undefined

export interface Section {
  readonly title: string
  readonly types: readonly ResourceType[]
  readonly isCustom: boolean
}

const byKind = (left: ResourceType, right: ResourceType) =>
  left.kind < right.kind ? -1 : left.kind > right.kind ? 1 : 0
/** Common types come first, the others by name. */
const usual = [
  ...['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Service', 'Ingress'],
  ...['PersistentVolumeClaim', 'ConfigMap', 'Secret', 'Namespace', 'Node', 'Event'],
]
const rank = ({ kind }: ResourceType) => (usual.includes(kind) ? usual.indexOf(kind) : usual.length)

/** The types by purpose; custom types by group after them. */
export function sectionsByPurpose(types: readonly ResourceType[]): Section[] {
  const eventsOfCore = listableTypes.value.some(({ group, resource }) => group === '' && resource === 'events')
  const shown = types.filter(
    // The same events are served in two groups.
    ({ group }) => !(eventsOfCore && group === settings.value.groups.events),
  )
  const custom = [...new Set(shown.filter(isCustom).map(({ group }) => group))].sort()
  return [
    ...purposes.map(title => ({
      title,
      isCustom: false,
      types: shown
        .filter(type => purposeOf(type) === title)
        .sort((left, right) => rank(left) - rank(right) || byKind(left, right)),
    })),
    ...custom.map(title => ({
      title,
      isCustom: true,
      types: shown.filter(type => isCustom(type) && type.group === title).sort(byKind),
    })),
  ].filter(section => section.types.length > 0)
}

export function sectionsByGroup(types: readonly ResourceType[]): Section[] {
  const groups = [...new Set(types.map(({ group }) => group))].sort()
  return groups.map(group => ({
    title: group || 'core',
    isCustom: false,
    types: types.filter(type => type.group === group).sort(byKind),
  }))
}

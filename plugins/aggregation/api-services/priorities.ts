import type { AggregationNames } from '../names.js'

export interface Priorities {
  readonly groupPriorityMinimum: number
  readonly versionPriority: number
}

/** Groups without a domain have the same name for every vendor. */
const withoutDomain = new Set(['', 'apps', 'autoscaling', 'batch', 'policy'])

/** The priorities that Kubernetes assigns to its own groups, and those of versions that differ from `defaultVersionPriorities`. */
const groups: Readonly<Record<string, readonly [group: number, versions?: Readonly<Record<string, number>>]>> = {
  '': [18_000, { v1: 1 }],
  apps: [17_800],
  events: [17_750, { v1beta1: 5 }],
  authentication: [17_700],
  authorization: [17_600],
  autoscaling: [17_500, { v2: 30, v2beta2: 1 }],
  batch: [17_400],
  certificates: [17_300],
  networking: [17_200],
  policy: [17_100],
  'rbac.authorization': [17_000],
  storage: [16_800],
  admissionregistration: [16_700],
  apiextensions: [16_700],
  scheduling: [16_600],
  coordination: [16_500],
  node: [16_300],
  discovery: [16_200, { v1beta1: 12 }],
  resource: [16_200, { v1: 21, v1beta2: 15, v1beta1: 9 }],
  'flowcontrol.apiserver': [16_100, { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12 }],
  'internal.apiserver': [16_000, { v1alpha1: 9 }],
  storagemigration: [15_800, { v1alpha1: 9 }],
}
/** Groups of other plugins are listed after these and before custom resources. */
const pluginGroupPriority = 2000
const defaultVersionPriorities = { stable: 15, beta: 9, alpha: 1 } as const

/** Priorities of versions that are served from the start. */
export function builtInPriorities({ groupOf }: AggregationNames): (group: string, version: string) => Priorities {
  const known = new Map(
    Object.entries(groups).map(([name, entry]) => [withoutDomain.has(name) ? name : groupOf(name), entry]),
  )
  return (group, version) => {
    const [groupPriorityMinimum, versions] = known.get(group) ?? [pluginGroupPriority]
    const stage = version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable'
    return { groupPriorityMinimum, versionPriority: versions?.[version] ?? defaultVersionPriorities[stage] }
  }
}

/** Priorities of versions that are added and removed while the server runs. */
export const dynamicPriorities: Priorities = { groupPriorityMinimum: 1000, versionPriority: 100 }

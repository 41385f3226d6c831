import type { AggregationNames } from '../names.js'

export interface Priorities {
  readonly groupPriorityMinimum: number
  readonly versionPriority: number
}

/** Groups without a domain are called the same everywhere. */
const plain = new Set(['', 'apps', 'autoscaling', 'batch', 'policy'])

/** The order in which the reference lists its own groups, and the priorities of their versions where these are particular. */
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
  'flowcontrol.apiserver': [16_100, { v1beta2: 12, v1beta1: 11 }],
}
/** What plugins bring comes after that, and before what is defined while the server runs. */
const ofPlugins = 2000
const usual = { stable: 15, beta: 9, alpha: 1 } as const

/** The priorities of versions that are there from the start. */
export function builtInPriorities({ groupOf }: AggregationNames): (group: string, version: string) => Priorities {
  const known = new Map(Object.entries(groups).map(([name, entry]) => [plain.has(name) ? name : groupOf(name), entry]))
  return (group, version) => {
    const [groupPriorityMinimum, versions] = known.get(group) ?? [ofPlugins]
    const stage = version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable'
    return { groupPriorityMinimum, versionPriority: versions?.[version] ?? usual[stage] }
  }
}

/** Those of versions that come and go. */
export const livePriorities: Priorities = { groupPriorityMinimum: 1000, versionPriority: 100 }

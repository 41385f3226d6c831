import type { Taint } from 'orch/sdk/core'
import type { SimulationNames } from '../names.js'
import type { SimulatedNode } from './node-objects.js'

/** Which condition, when it has which status, becomes which taint. */
const causes: readonly (readonly [condition: string, status: string, taint: string])[] = [
  ['Ready', 'False', 'not-ready'],
  ['Ready', 'Unknown', 'unreachable'],
  ['MemoryPressure', 'True', 'memory-pressure'],
  ['DiskPressure', 'True', 'disk-pressure'],
  ['PIDPressure', 'True', 'pid-pressure'],
  ['NetworkUnavailable', 'True', 'network-unavailable'],
]

/** The taints of a node as its conditions and its owner want them: undefined when it has exactly those. */
export function taintsFor({ spec, status }: SimulatedNode, { nodeTaint }: SimulationNames): Taint[] | undefined {
  const isTrue = (type: string, said: string) =>
    status?.conditions?.some(one => one.type === type && one.status === said)
  const wanted = causes
    .filter(([type, said]) => isTrue(type, said))
    .map(([, , taint]) => ({ key: nodeTaint(taint), effect: 'NoSchedule' }))
  if (spec?.unschedulable) wanted.push({ key: nodeTaint('unschedulable'), effect: 'NoSchedule' })
  const ours = new Set([...causes.map(([, , taint]) => nodeTaint(taint)), nodeTaint('unschedulable')])
  const isOurs = ({ key, effect }: Taint) => ours.has(key) && effect === 'NoSchedule'
  const before = spec?.taints ?? []
  const had = new Set(before.filter(isOurs).map(({ key }) => key))
  const isSame = had.size === wanted.length && wanted.every(({ key }) => had.has(key))
  return isSame ? undefined : [...before.filter(taint => !isOurs(taint)), ...wanted]
}

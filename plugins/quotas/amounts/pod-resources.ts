import type { Container, PodSpec } from 'orch/sdk/core'
import { type Amounts, maxAmounts, parseAmounts, sumAmounts } from './amounts.js'

/** All containers of a Pod that hold resources while it runs or starts. */
export const containersOf = ({ containers, initContainers }: PodSpec): readonly Container[] => [
  ...(containers ?? []),
  ...(initContainers ?? []),
]

/** What a Pod asks for or is limited to: its containers together, or its greediest initial container, which runs alone. */
export function podResources(spec: PodSpec, which: 'requests' | 'limits'): Amounts {
  const of = ({ resources }: Container) => parseAmounts(resources?.[which])
  const together = sumAmounts((spec.containers ?? []).map(of))
  return maxAmounts([together, ...(spec.initContainers ?? []).map(of)])
}

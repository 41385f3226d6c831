import { type Container, type PodSpec, podTotals } from 'orch/sdk/core'
import { type Amounts, parseAmounts } from './amounts.js'

/** All containers of a Pod that hold resources while it runs or starts. */
export const containersOf = ({ containers, initContainers }: PodSpec): readonly Container[] => [
  ...(containers ?? []),
  ...(initContainers ?? []),
]

/** What a Pod asks for or is limited to: what it names as a whole, or else what its containers come to. */
export const podResources = (spec: PodSpec, which: 'requests' | 'limits'): Amounts =>
  parseAmounts(podTotals(spec, which))

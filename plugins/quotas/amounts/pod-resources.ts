import { type Container, type PodSpec, podTotals } from 'orch/sdk/core'
import { type Amounts, parseAmounts } from './amounts.js'

/** All containers of a Pod that use resources while it starts or runs. */
export const containersOf = ({ containers, initContainers }: PodSpec): readonly Container[] => [
  ...(containers ?? []),
  ...(initContainers ?? []),
]

/** The requests or limits of a Pod: its Pod-level resources, or else the total of its containers. */
export const podResources = (spec: PodSpec, which: 'requests' | 'limits'): Amounts =>
  parseAmounts(podTotals(spec, which))

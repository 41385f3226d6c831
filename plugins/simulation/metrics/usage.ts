import { addQuantities, formatQuantity, parseQuantity, type QuantityAmount } from 'orch/sdk/validation'
import type { Behavior } from '../running/behavior.js'
import type { StoredPod } from '../running/container-facts.js'
import { statusOf } from '../running/container-facts.js'
import { behaviorOf } from '../running/find-behavior.js'

export type Usage = Record<string, string>

/** Usage of a container without requests, and of a node without Pods. */
const idleContainer: Usage = { cpu: '1m', memory: '8Mi' }
const idleNode: Usage = { cpu: '100m', memory: '256Mi' }

/** Usage of the running containers of a Pod: as their rule says, or half of their requests. */
export function usageOf(pod: StoredPod, behavior: Behavior): { name: string; usage: Usage }[] {
  return pod.spec.containers
    .filter(({ name }) => statusOf(pod, name)?.state?.running)
    .map(({ name, resources }) => {
      const { usage = {} } = behaviorOf(behavior, name, false)
      const amount = (resource: string) =>
        usage[resource] ?? half(resources?.requests?.[resource]) ?? idleContainer[resource] ?? '0'
      return { name, usage: { cpu: amount('cpu'), memory: amount('memory') } }
    })
}

function half(amount: string | undefined): string | undefined {
  if (amount === undefined) return undefined
  const { unscaled, scale, format } = parseQuantity(amount)
  // One digit more, so that nothing is lost: half of 10^n is 5 times 10^(n-1).
  return formatQuantity({ unscaled: unscaled * 5n, scale: scale - 1, format })
}

/** The usage of a node: that of its Pods, plus its own. */
export function sumUsage(parts: readonly Usage[]): Usage {
  const sum = (resource: string) =>
    parts.reduce<QuantityAmount>(
      (total, part) => addQuantities(total, parseQuantity(part[resource] ?? '0')),
      parseQuantity(idleNode[resource] ?? '0'),
    )
  return { cpu: formatQuantity(sum('cpu')), memory: formatQuantity(sum('memory')) }
}

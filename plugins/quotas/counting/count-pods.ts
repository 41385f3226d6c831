import { isPodFinished } from 'orch/sdk/controllers'
import { type Container, isHugePagesResource, type Pod } from 'orch/sdk/core'
import type { QuantityAmount } from 'orch/sdk/validation'
import { type Amounts, one, parseAmounts, sumAmounts } from '../amounts/amounts.js'
import { containersOf, podResources } from '../amounts/pod-resources.js'
import type { Evaluator } from './evaluator.js'
import { isPodInScope } from './pod-scopes.js'

const measured = ['cpu', 'memory', 'ephemeral-storage']
const named = new Set(['pods', 'count/pods', ...measured.flatMap(name => [name, `requests.${name}`, `limits.${name}`])])
/** Every container must specify these if a quota restricts them. */
const alwaysSpecified = new Set(['cpu', 'memory'].flatMap(name => [name, `requests.${name}`, `limits.${name}`]))

/**
 * Counts the usage of Pods: their number, and the resources of those that have not finished. `isNative` distinguishes
 * resources of the vendor from extended ones.
 */
export const podCounter = (isNative: (resourceName: string) => boolean): Evaluator => ({
  group: '',
  resource: 'pods',
  operations: ['create'],
  counts(name) {
    if (named.has(name)) return true
    const [, requested = ''] = /^requests\.(.*)$/.exec(name) ?? []
    return isHugePagesResource(name) || isHugePagesResource(requested) || (requested !== '' && !isNative(requested))
  },
  usageOf(object, now) {
    const all: Amounts = new Map([['count/pods', one]])
    const pod = object as Pod
    return isAlive(pod, now)
      ? sumAmounts([all, computeUsage(withOverhead(pod, 'requests'), withOverhead(pod, 'limits'), isNative)])
      : all
  },
  isInScope: isPodInScope,
  unnamed(object, restricted) {
    const wanted = restricted.filter(name => alwaysSpecified.has(name))
    const isUnnamed = ({ resources }: Pick<Container, 'resources'>, name: string) => {
      const [resource = '', which = 'requests'] = name.split('.').reverse()
      return resources?.[which as 'requests' | 'limits']?.[resource] === undefined
    }
    const { spec } = object as Pod
    const containers = containersOf(spec)
    // Containers need not specify what the Pod-level resources specify.
    return wanted.filter(name => isUnnamed(spec, name) && containers.some(container => isUnnamed(container, name)))
  },
})

/** The overhead of a Pod counts as both requests and limits. */
const withOverhead = ({ spec }: Pod, which: 'requests' | 'limits'): Amounts =>
  sumAmounts([podResources(spec, which), parseAmounts(spec.overhead)])

function computeUsage(requests: Amounts, limits: Amounts, isNative: (name: string) => boolean): Amounts {
  const usage = new Map<string, QuantityAmount>([['pods', one]])
  for (const [name, amount] of requests) {
    if (measured.includes(name) || isHugePagesResource(name)) usage.set(name, amount).set(`requests.${name}`, amount)
    else if (!isNative(name)) usage.set(`requests.${name}`, amount)
  }
  for (const name of measured) {
    const amount = limits.get(name)
    if (amount) usage.set(`limits.${name}`, amount)
  }
  return usage
}

/**
 * Finished Pods use no resources; neither do Pods whose grace period has passed, because their node may never confirm
 * the deletion.
 */
function isAlive({ metadata, status }: Pod, now: number): boolean {
  if (isPodFinished({ status })) return false
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {}
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

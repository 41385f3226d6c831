import { isPodFinished } from 'orch/sdk/controllers'
import { type Container, isHugePagesResource, type Pod, type PodSpec } from 'orch/sdk/core'
import type { QuantityAmount } from 'orch/sdk/validation'
import { type Amounts, one, parseAmounts, pickAmounts, sumAmounts } from '../amounts/amounts.js'
import { containersOf, podResources, withHeldResources } from '../amounts/pod-resources.js'
import { chargedScopeChanges, podsAskForDeviceClasses } from '../differences.js'
import type { QuotaNames } from '../names.js'
import type { Evaluator } from './evaluator.js'
import { hasDeadline, isPodInScope } from './pod-scopes.js'

const measured = ['cpu', 'memory', 'ephemeral-storage']
const named = new Set(['pods', 'count/pods', ...measured.flatMap(name => [name, `requests.${name}`, `limits.${name}`])])
/** Every container must specify these if a quota restricts them. */
const alwaysSpecified = new Set(['cpu', 'memory'].flatMap(name => [name, `requests.${name}`, `limits.${name}`]))

/** Counts the usage of Pods: their number, and the resources of those that have not finished. */
export function podCounter({ isNative, deviceClassPrefix, vendor: { level } }: QuotaNames): Evaluator {
  const chargesScopeChanges = level.has(chargedScopeChanges)
  const countsDeviceClasses = level.has(podsAskForDeviceClasses)
  /** Resources that are counted only as `requests.<name>`: those of others, and devices by their class. */
  const isExtended = (name: string) => !isNative(name) || (countsDeviceClasses && name.startsWith(deviceClassPrefix))
  return {
    group: '',
    resource: 'pods',
    isCharged({ operation, subresource, object, oldObject }) {
      if (operation === 'create' || subresource === 'resize') return true
      const [sent, stored] = [object, oldObject].map(one => hasDeadline((one as Pod).spec))
      return chargesScopeChanges && sent !== stored
    },
    counts(name) {
      if (named.has(name)) return true
      const [, requested = ''] = /^requests\.(.*)$/.exec(name) ?? []
      return isHugePagesResource(name) || isHugePagesResource(requested) || (requested !== '' && isExtended(requested))
    },
    usageOf(object, now) {
      const all: Amounts = new Map([['count/pods', one]])
      const pod = object as Pod
      if (!isAlive(pod, now)) return all
      const spec = withHeldResources(pod)
      return sumAmounts([all, computeUsage(requestsOf(spec), limitsOf(spec), isExtended)])
    },
    isInScope: isPodInScope,
    unnamed(object, restricted) {
      const { spec } = object as Pod
      // Containers need not specify anything if the Pod as a whole does.
      if (hasOwnResources(spec)) return []
      const isUnnamed = ({ resources }: Pick<Container, 'resources'>, name: string) => {
        const [resource = '', which = 'requests'] = name.split('.').reverse()
        return resources?.[which as 'requests' | 'limits']?.[resource] === undefined
      }
      const wanted = restricted.filter(name => alwaysSpecified.has(name))
      return wanted.filter(name => containersOf(spec).some(container => isUnnamed(container, name)))
    },
  }
}

const hasOwnResources = ({ resources }: PodSpec): boolean =>
  Object.keys({ ...resources?.requests, ...resources?.limits }).some(
    name => name === 'cpu' || name === 'memory' || isHugePagesResource(name),
  )

const requestsOf = (spec: PodSpec): Amounts => sumAmounts([podResources(spec, 'requests'), parseAmounts(spec.overhead)])

/** The overhead of a Pod raises only the limits that it has. */
function limitsOf(spec: PodSpec): Amounts {
  const limits = podResources(spec, 'limits')
  const overhead = pickAmounts(parseAmounts(spec.overhead), name => (limits.get(name)?.unscaled ?? 0n) !== 0n)
  return sumAmounts([limits, overhead])
}

function computeUsage(requests: Amounts, limits: Amounts, isExtended: (name: string) => boolean): Amounts {
  const usage = new Map<string, QuantityAmount>([['pods', one]])
  for (const [name, amount] of requests) {
    if (measured.includes(name) || isHugePagesResource(name)) usage.set(name, amount).set(`requests.${name}`, amount)
    else if (isExtended(name)) usage.set(`requests.${name}`, amount)
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

import type { Pod } from 'orch/sdk/core'
import { describe, type LevelVersion } from '../standards/level.js'
import { reasonsOf, type Standards } from '../standards/standards.js'

/** The limits of Pods and time: changing a label must not wait for all Pods of a large namespace. */
const podsToCheck = 3000
const checkMs = 1000

/** Warnings about existing Pods that violate a new standard, grouped by violation. */
export function warnOfExistingPods(
  namespace: string,
  standard: LevelVersion,
  pods: readonly Pod[],
  standards: Standards,
  now: () => number,
): string[] {
  const deadline = now() + checkMs
  const offenders = new Map<string, string[]>()
  let checked = 0
  for (const pod of oneOfEachOwnerFirst(pods).slice(0, podsToCheck)) {
    checked++
    const reasons = reasonsOf(standards.violations(standard, pod))
    if (reasons !== '') offenders.set(reasons, [...(offenders.get(reasons) ?? []), pod.metadata?.name ?? ''])
    if (now() > deadline) break
  }
  const warnings: string[] = []
  if (checked < pods.length)
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`,
    )
  if (offenders.size > 0)
    warnings.push(
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${describe(standard)}"`,
    )
  return [...warnings, ...[...offenders].map(([reasons, names]) => `${crowd(names)}: ${reasons}`).sort()]
}

/** `web-1 (and 2 other pods)`. */
function crowd(names: string[]): string {
  const [first = '', ...others] = names.sort()
  if (others.length === 0) return first
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`
}

/** Pods of one owner are alike, so one Pod per owner is more informative than many of one. */
function oneOfEachOwnerFirst(pods: readonly Pod[]): Pod[] {
  const owners = new Set<string>()
  const firsts: Pod[] = []
  const others: Pod[] = []
  for (const pod of pods) {
    const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid
    if (owner !== undefined && owners.has(owner)) others.push(pod)
    else firsts.push(pod)
    if (owner !== undefined) owners.add(owner)
  }
  return [...firsts, ...others]
}

import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import { checkPod } from './check-pod.js'
import { fillPod } from './fill-pod.js'
import { isUsable, type PodSecurityPolicy } from './policy.js'

/** The policy that admits a Pod, and the Pod with its defaults; or why none does. */
export type Choice =
  | { readonly policyName: string; readonly pod: Pod }
  | { readonly policyName: undefined; readonly errors: readonly FieldError[] }

export interface Choosing {
  /** Whether the requester, or the service account of the Pod, may use the policy of this name. */
  mayUse(policyName: string): Promise<boolean>
  /** Whether the policy may set defaults. */
  readonly mayFill: boolean
  /** The policy to try first, because it admitted the Pod before. */
  readonly hint: string
}

/** The first policy by name that allows the Pod unchanged; if there is none, the first that allows it with defaults. */
export async function choosePolicy(
  pod: Pod,
  policies: readonly PodSecurityPolicy[],
  names: PodSecurityNames,
  { mayUse, mayFill, hint }: Choosing,
): Promise<Choice> {
  let filledIn: Choice | undefined
  const refusals: { policyName: string; errors: readonly FieldError[] }[] = []
  for (const policy of inOrder(policies, mayFill ? '' : hint)) {
    const policyName = policyNameOf(policy)
    const filled = fillPod(pod, policy, names)
    const errors = checkPod(filled, policy, names)
    if (errors.length > 0) {
      refusals.push({ policyName, errors })
      continue
    }
    const isFilled = !isDeepStrictEqual(filled, pod)
    if ((isFilled && (!mayFill || filledIn)) || !(await mayUse(policyName))) continue
    const choice = { policyName, pod: filled }
    if (!isFilled) return choice
    filledIn = choice
  }
  if (filledIn) return filledIn
  // Errors of policies that the user may not use would disclose those policies.
  const told = await Promise.all(refusals.map(async one => ((await mayUse(one.policyName)) ? one.errors : [])))
  return { policyName: undefined, errors: told.flat() }
}

const policyNameOf = ({ metadata }: PodSecurityPolicy) => metadata?.name ?? ''

function inOrder(policies: readonly PodSecurityPolicy[], first: string): PodSecurityPolicy[] {
  const rank = (policy: PodSecurityPolicy) => (first !== '' && policyNameOf(policy) === first ? 0 : 1)
  const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return policies
    .filter(isUsable)
    .sort((one, other) => rank(one) - rank(other) || byName(policyNameOf(one), policyNameOf(other)))
}

import { isDeepStrictEqual } from 'node:util'
import { type AdmissionRequest, type Authorizer, defineAdmission, reject, services, type UserInfo } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { describeFieldErrors } from 'orch/sdk/validation'
import type { PodSecurityNames } from '../names.js'
import { choosePolicy } from '../policies/choose-policy.js'
import { type PodSecurityPolicy, policyCollection } from '../policies/policy.js'

/** A Pod needs a policy that allows it and that its creator, or its account, may `use`. Deprecated. */
export const podSecurityPolicy = (names: PodSecurityNames) =>
  defineAdmission<Pod>()({
    name: 'PodSecurityPolicy',
    until: '1.24',
    after: ['PodSecurity'],
    phase: 'both',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: {
      group: '',
      resource: 'pods',
      subresource: ['', 'ephemeralcontainers'],
      operations: ['create', 'update'],
    },
    needs: { caches: services.caches, authorizer: services.authorizer },
    async review(request, { caches, authorizer }, phase) {
      const { object: pod, operation } = request
      // A running Pod is not changed, only validated.
      const mayFill = phase === 'mutate'
      if (operation === 'update' && (mayFill || isOnlyOwnership(pod, request.oldObject))) return
      const cache = caches.of<PodSecurityPolicy>(policyCollection)
      if (!cache.isReady) await cache.ready()
      const hint = pod.metadata?.annotations?.[names.admittedBy] ?? ''
      const policies = cache.list()
      if (policies.length === 0) return reject('PodSecurityPolicy: no providers available to validate pod request')
      const mayUse = userOf(request, authorizer, [policyCollection.group, names.formerPolicyGroup])
      const choice = await choosePolicy(pod, policies, names, { mayUse, mayFill, hint })
      if (choice.policyName === undefined)
        return reject(
          `PodSecurityPolicy: unable to ${mayFill ? 'admit' : 'validate'} pod: [${describeFieldErrors(choice.errors)}]`,
        )
      request.annotate(names.policyAuditAnnotation(mayFill ? 'admit-policy' : 'validate-policy'), choice.policyName)
      if (mayFill) takeOver(pod, choice.pod, choice.policyName, names)
    },
  })

function takeOver(pod: Pod, filled: Pod, policyName: string, names: PodSecurityNames): void {
  pod.spec = filled.spec
  pod.metadata = {
    ...filled.metadata,
    annotations: { ...filled.metadata?.annotations, [names.admittedBy]: policyName },
  }
}

/** Checks once per policy whether the account of the Pod or the requesting user may use it. */
function userOf({ user, namespace, object }: AdmissionRequest<Pod>, authorizer: Authorizer, groups: readonly string[]) {
  const account = object.spec.serviceAccountName ?? ''
  const users = [...(account === '' ? [] : [accountUser(namespace, account)]), user]
  const known = new Map<string, Promise<boolean>>()
  const ask = async (name: string) => {
    for (const one of users)
      for (const group of groups)
        if (await authorizer.allows(one, 'use', { ...policyCollection, group, namespace, name })) return true
    return false
  }
  return (name: string) => {
    const asked = known.get(name) ?? ask(name)
    known.set(name, asked)
    return asked
  }
}

const accountUser = (namespace: string, name: string): UserInfo => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
})

/** Changes of owners and finalizers alone are always allowed, so that garbage collection is never blocked. */
function isOnlyOwnership(sent: Pod, stored: Pod): boolean {
  const withoutOwnership = ({ metadata, ...rest }: Pod) => {
    const { ownerReferences: _, finalizers: __, managedFields: ___, ...others } = metadata ?? {}
    return JSON.parse(JSON.stringify({ ...rest, metadata: others }))
  }
  return isDeepStrictEqual(withoutOwnership(sent), withoutOwnership(stored))
}

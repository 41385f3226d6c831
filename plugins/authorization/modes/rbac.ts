import type { UserInfo } from 'orch/sdk'
import { defineAuthorizer, type RulesOfUser } from 'orch/sdk/identity'
import { type LiveRoleIndex, liveRoleIndex } from '../live-role-index.js'

/** Allows what roles bound to the user or its groups grant. Answers at once, from memory. */
export const rbac = defineAuthorizer({
  mode: 'RBAC',
  knowsLoopRoles: true,
  needs: { index: liveRoleIndex },
  authorize: (access, { index }) =>
    index.isReady ? index.decide(access) : index.ready().then(() => index.decide(access)),
  rulesFor: (user, namespace, { index }) =>
    index.isReady ? rulesOfUser(index, user, namespace) : index.ready().then(() => rulesOfUser(index, user, namespace)),
})

function rulesOfUser(index: LiveRoleIndex, user: UserInfo, namespace: string): RulesOfUser {
  const { rules, isComplete, problem } = index.rulesFor(user, namespace)
  return {
    resourceRules: rules
      .filter(rule => (rule.resources ?? []).length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, resourceNames })),
    nonResourceRules: rules
      .filter(rule => (rule.nonResourceURLs ?? []).length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: !isComplete,
    ...(problem === undefined ? {} : { evaluationError: problem }),
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, UserInfo } from 'orch/sdk'
import { mastersGroup } from 'orch/sdk/identity'
import { describeRule, quotedList } from '../rules/describe-rule.js'
import type { RoleIndex } from '../rules/role-index.js'
import { compactRules, uncoveredRules } from '../rules/rule-coverage.js'
import type { PolicyRule } from '../rules/schema.js'

/** The server itself, and users with its permissions, may grant anything. */
export const mayGrantAnything = (user: UserInfo): boolean => user.groups.includes(mastersGroup)

/** The limits of rules and text in an error: a role of a few kilobytes can contain billions of combinations. */
const maxRules = 500
const maxTextLength = 64 * 1024

/** Why a user may not grant `wanted` in a namespace, or undefined: users may only grant permissions that they have. */
export function whyEscalates(
  index: RoleIndex,
  user: UserInfo,
  namespace: string,
  wanted: readonly PolicyRule[],
): string | undefined {
  const held = index.rulesFor(user, namespace)
  const missing = compactRules(uncoveredRules(held.rules, wanted), maxRules)
  if (missing.length === 0) return undefined
  const lines = [...new Set(missing.map(describeRule))].sort()
  const problem = held.problem === undefined ? '' : `; resolution errors: [${held.problem}]`
  const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`
  const rules = lines.join('\n')
  const shown = rules.length > maxTextLength ? `${rules.slice(0, maxTextLength)}...` : rules
  return `${who} is attempting to grant RBAC permissions not currently held:\n${shown}${problem}`
}

/** An update that touches only fields of garbage collection (owner references, finalizers) grants nothing. */
export function onlyConcernsRemoval(sent: ApiObject, stored: ApiObject | undefined): boolean {
  return stored !== undefined && isDeepStrictEqual(withoutRemovalFields(sent), withoutRemovalFields(stored))
}

function withoutRemovalFields(object: ApiObject): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...metadata } = object.metadata
  return { ...object, metadata }
}

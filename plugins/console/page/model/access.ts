import { signal } from '@preact/signals'
import { type Anything, send } from './api.js'
import type { ResourceType } from './resource-type.js'
import { settings } from './session.js'

/** The permissions of the user, from a SelfSubjectRulesReview. */
interface Rules {
  readonly resourceRules: readonly {
    verbs: string[]
    apiGroups?: string[]
    resources?: string[]
    resourceNames?: string[]
  }[]
  readonly incomplete: boolean
}

const rulesByNamespace = signal<ReadonlyMap<string, Rules>>(new Map())
const asked = new Set<string>()
/** Represents all namespaces: rules for a namespace that cannot exist apply everywhere. */
const anyNamespace = '-'

export function forgetAccess(): void {
  asked.clear()
  rulesByNamespace.value = new Map()
}

function ask(namespace: string): void {
  if (asked.has(namespace)) return
  asked.add(namespace)
  const group = settings.value.groups.authorization
  const review = { apiVersion: `${group}/v1`, kind: 'SelfSubjectRulesReview', spec: { namespace } }
  void send(`POST`, `/apis/${group}/v1/selfsubjectrulesreviews`, review).then(
    ({ status }: Anything) => {
      rulesByNamespace.value = new Map(rulesByNamespace.value).set(namespace, status)
    },
    () => asked.delete(namespace),
  )
}

/**
 * Is the user allowed to do this? Undefined while that is unknown. If the rules are incomplete, because an authorizer cannot list
 * them, everything counts as allowed, and the server decides.
 */
export function may(
  verb: string,
  group: string,
  resource: string,
  namespace = anyNamespace,
  name = '',
): boolean | undefined {
  const wanted = namespace || anyNamespace
  ask(wanted)
  const rules = rulesByNamespace.value.get(wanted)
  if (!rules) return undefined
  const isAllowed = rules.resourceRules.some(
    rule =>
      covers(rule.verbs, verb) &&
      covers(rule.apiGroups, group) &&
      (covers(rule.resources, resource) ||
        (resource.includes('/') && covers(rule.resources, `*/${resource.split('/')[1]}`))) &&
      (!rule.resourceNames?.length || (name !== '' && rule.resourceNames.includes(name))),
  )
  return isAllowed || rules.incomplete
}

/** Is the user allowed to do something with objects of a type, in a namespace or in all? */
export const mayWith = (
  verb: string,
  { group, resource, isNamespaced }: ResourceType,
  namespace: string,
): boolean | undefined => may(verb, group, resource, isNamespaced ? namespace : '')

const covers = (list: readonly string[] | undefined, value: string) => list?.some(e => e === '*' || e === value)

/** Does a rule allow it for at least one name? */
export function mayForSome(verb: string, group: string, resource: string): boolean {
  ask(anyNamespace)
  const rules = rulesByNamespace.value.get(anyNamespace)?.resourceRules ?? []
  return rules.some(
    rule => covers(rule.verbs, verb) && covers(rule.apiGroups, group) && covers(rule.resources, resource),
  )
}

import type { AdmissionRequest, ApiObject, LabelSelector, ServedType } from 'orch/sdk'
import { admissionRuleMatches, admissionRuleTarget } from 'orch/sdk/admission'
import { type Labels, labelMatcher, labelSelectorRequirements } from 'orch/sdk/validation'
import type { MatchResources, NamedRule } from '../policies/schema.js'

/** Whether labels are selected. Undefined if the selector selects everything. */
export type Selects = ((labels: Labels | undefined) => boolean) | undefined

/** The match constraints of a policy or binding, precompiled. */
export interface Matcher {
  readonly rules: readonly NamedRule[]
  readonly excluded: readonly NamedRule[]
  readonly matchesEquivalents: boolean
  readonly selectsNamespace: Selects
  readonly selectsObject: Selects
}

export function compileMatcher(match: MatchResources): Matcher {
  return {
    rules: match.resourceRules ?? [],
    excluded: match.excludeResourceRules ?? [],
    matchesEquivalents: match.matchPolicy !== 'Exact',
    selectsNamespace: compileSelector(match.namespaceSelector),
    selectsObject: compileSelector(match.objectSelector),
  }
}

export function compileSelector(selector: LabelSelector | undefined): Selects {
  const requirements = labelSelectorRequirements(selector ?? {})
  if (requirements === undefined) return () => false
  return requirements.length === 0 ? undefined : labelMatcher(requirements)
}

/** How a kind of request matches; `names` and `excludedNames` restrict it to certain objects. */
export interface Match {
  /** The version in which the policy sees the objects. */
  readonly as: ServedType
  /** Only objects with these names; undefined means all. */
  readonly names: ReadonlySet<string> | undefined
  readonly excludedNames: ReadonlySet<string>
}

const noNames: ReadonlySet<string> = new Set()

/** Matches a kind of request independently of its object. Without rules every request matches. */
export function matchKind(
  { rules, excluded, matchesEquivalents }: Matcher,
  request: AdmissionRequest,
): Match | undefined {
  const { requested } = request.served
  const left = findRules(excluded, matchesEquivalents, request)
  if (left && left.names === undefined) return undefined
  const excludedNames = left?.names ?? noNames
  if (rules.length === 0) return { as: requested, names: undefined, excludedNames }
  const found = findRules(rules, matchesEquivalents, request)
  return found && { ...found, excludedNames }
}

/** Finds the version under which rules match, the requested one or an equivalent, and the object names that the rules list. */
function findRules(
  rules: readonly NamedRule[],
  matchesEquivalents: boolean,
  request: AdmissionRequest,
): Pick<Match, 'as' | 'names'> | undefined {
  if (rules.length === 0) return undefined
  const { requested } = request.served
  const matching = (as: ServedType) => {
    const target = admissionRuleTarget(request, as)
    return rules.filter(rule => admissionRuleMatches(rule, target))
  }
  const direct = matching(requested)
  if (direct.length > 0) return { as: requested, names: namesOf(direct) }
  if (!matchesEquivalents) return undefined
  for (const as of request.served.equivalents()) {
    const found = as === requested ? [] : matching(as)
    if (found.length > 0) return { as, names: namesOf(found) }
  }
  return undefined
}

function namesOf(rules: readonly NamedRule[]): ReadonlySet<string> | undefined {
  if (rules.some(({ resourceNames = [] }) => resourceNames.length === 0)) return undefined
  return new Set(rules.flatMap(({ resourceNames = [] }) => resourceNames))
}

/** Whether the object of the request matches names and selectors. `namespace` is the Namespace of the request, if it has one. */
export function matchesObject(
  { selectsNamespace, selectsObject }: Matcher,
  { names, excludedNames }: Match,
  request: AdmissionRequest,
  namespace: ApiObject | undefined,
): boolean {
  if (names && !names.has(request.name)) return false
  if (excludedNames.size > 0 && excludedNames.has(request.name)) return false
  // A namespace selector does not apply to cluster-scoped objects, except Namespaces themselves.
  if (selectsNamespace && namespace && !selectsNamespace(namespace.metadata.labels ?? {})) return false
  if (!selectsObject) return true
  return isSelected(selectsObject, request, 'object') || isSelected(selectsObject, request, 'oldObject')
}

/** Reads only the labels: `request.object` would copy the whole object. */
function isSelected(
  selects: NonNullable<Selects>,
  { served }: AdmissionRequest,
  which: 'object' | 'oldObject',
): boolean {
  const metadata = served.readable(served.requested, which)?.['metadata'] as { readonly labels?: Labels } | undefined
  // Something without metadata, such as the options of a connect request, is never selected, not even by `DoesNotExist`.
  return metadata !== undefined && selects(metadata.labels)
}

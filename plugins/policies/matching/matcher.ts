import {
  type AdmissionRequest,
  type ApiObject,
  admissionRuleMatches,
  admissionRuleTarget,
  type LabelSelector,
  type Labels,
  labelMatcher,
  labelSelectorRequirements,
  type ServedType,
} from 'orch/sdk'
import type { MatchResources, NamedRule } from '../policies/schema.js'

/** Tells whether labels are selected; undefined when everything is. */
type Selects = ((labels: Labels | undefined) => boolean) | undefined

/** Which requests a policy or a binding is about, with everything worked out that does not depend on the request. */
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

function compileSelector(selector: LabelSelector | undefined): Selects {
  const requirements = labelSelectorRequirements(selector ?? {})
  if (requirements === undefined) return () => false
  return requirements.length === 0 ? undefined : labelMatcher(requirements)
}

/** How a kind of request matches; which objects of it do is said by names. */
export interface Match {
  /** The type in which the objects are to be seen. */
  readonly as: ServedType
  /** Only objects with these names; undefined means all. */
  readonly names: ReadonlySet<string> | undefined
  readonly excludedNames: ReadonlySet<string>
}

const noNames: ReadonlySet<string> = new Set()

/** Works out whether a kind of request matches, whatever its object. Without rules everything does. */
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

/** The type under which rules match: the requested one, or else an equivalent; and the names that they are about. */
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

/** Is this very object meant? `namespace` is that of the request, if it has one. */
export function isMeant(
  { selectsNamespace, selectsObject }: Matcher,
  { names, excludedNames }: Match,
  request: AdmissionRequest,
  namespace: ApiObject | undefined,
): boolean {
  if (names && !names.has(request.name)) return false
  if (excludedNames.size > 0 && excludedNames.has(request.name)) return false
  // A namespace selector leaves out no cluster-scoped object but Namespaces themselves.
  if (selectsNamespace && namespace && !selectsNamespace(namespace.metadata.labels ?? {})) return false
  if (!selectsObject) return true
  return isSelected(selectsObject, request, 'object') || isSelected(selectsObject, request, 'oldObject')
}

/** Looks at the labels where they are: `request.object` is a copy of all of it. */
function isSelected(
  selects: NonNullable<Selects>,
  { served }: AdmissionRequest,
  which: 'object' | 'oldObject',
): boolean {
  const metadata = served.readable(served.requested, which)?.['metadata'] as { readonly labels?: Labels } | undefined
  // What can have no labels (the options of a connection) is not selected, not even by their absence.
  return metadata !== undefined && selects(metadata.labels)
}

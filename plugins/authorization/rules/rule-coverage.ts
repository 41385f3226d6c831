import { everything } from './describe-rule.js'
import type { PolicyRule } from './schema.js'

/**
 * Lists multiply: a rule of a few kilobytes can stand for billions of pieces. So many of a rule are looked at that no
 * single rule of `held` grants as a whole; what is beyond counts as not granted.
 */
const mostPieces = 20_000

/**
 * What of `wanted` is not granted by `held`, as rules with one verb, one group, one resource (and one name) each: the
 * smallest pieces are each either granted by a single rule of `held` or not at all. Empty when everything is granted.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  // A list that must be written is null when nobody filled it; such a rule grants nothing, and validation refuses it.
  const granting = wanted.filter(({ verbs }) => (verbs as string[] | null) !== null)
  return granting.flatMap(rule => (held.some(one => covers(one, rule)) ? [] : uncoveredPieces(held, rule)))
}

function uncoveredPieces(held: readonly PolicyRule[], wanted: PolicyRule): PolicyRule[] {
  const uncovered: PolicyRule[] = []
  let looked = 0
  for (const piece of piecesOf(wanted)) {
    const isBeyond = ++looked > mostPieces
    if (isBeyond || !held.some(rule => covers(rule, piece))) uncovered.push(piece)
    if (isBeyond) break
  }
  return uncovered
}

function* piecesOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Iterable<PolicyRule> {
  for (const group of apiGroups ?? [])
    for (const resource of resources ?? [])
      for (const verb of verbs) {
        const piece = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if ((resourceNames ?? []).length === 0) yield piece
        for (const name of resourceNames ?? []) yield { ...piece, resourceNames: [name] }
      }
  for (const url of nonResourceURLs ?? []) for (const verb of verbs) yield { verbs: [verb], nonResourceURLs: [url] }
}

/** Does one rule grant all that another says? */
function covers(held: PolicyRule, wanted: PolicyRule): boolean {
  const names = wanted.resourceNames ?? []
  return (
    wanted.verbs.every(verb => coversValue(held.verbs, verb)) &&
    (wanted.apiGroups ?? []).every(group => coversValue(held.apiGroups ?? [], group)) &&
    (wanted.resources ?? []).every(resource => coversResource(held.resources ?? [], resource)) &&
    (wanted.nonResourceURLs ?? []).every(url => coversUrl(held.nonResourceURLs ?? [], url)) &&
    // Rights on named objects never add up to rights on all of them.
    ((held.resourceNames ?? []).length === 0 ||
      (names.length > 0 && names.every(name => held.resourceNames?.includes(name))))
  )
}

const coversValue = (held: readonly string[], value: string): boolean =>
  held.includes(everything) || held.includes(value)

function coversResource(held: readonly string[], resource: string): boolean {
  if (coversValue(held, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && held.includes(`*/${resource.slice(slash + 1)}`)
}

const coversUrl = (held: readonly string[], url: string): boolean =>
  held.some(owned => owned === url || (owned.endsWith('*') && url.startsWith(owned.replace(/\*+$/, ''))))

/** Joins pieces about the same resource and name into one rule with all their verbs, for messages people can read. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = []
  const simple = new Map<string, PolicyRule & { verbs: string[] }>()
  for (const rule of rules) {
    if (!isSimple(rule)) {
      compacted.push(rule)
      continue
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames ?? []])
    const same = simple.get(key)
    if (same === undefined) simple.set(key, { ...rule, verbs: [...rule.verbs] })
    else same.verbs.push(...rule.verbs)
  }
  return [...compacted, ...simple.values()]
}

const isSimple = (rule: PolicyRule): boolean =>
  rule.apiGroups?.length === 1 &&
  rule.resources?.length === 1 &&
  (rule.resourceNames ?? []).length <= 1 &&
  (rule.nonResourceURLs ?? []).length === 0

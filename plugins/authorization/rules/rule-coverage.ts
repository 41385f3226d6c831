import { everything } from './describe-rule.js'
import type { PolicyRule } from './schema.js'

/**
 * What of `wanted` is not granted by `held`, as rules with one verb, one group, one resource (and one name) each: the
 * smallest pieces are each either granted by a single rule of `held` or not at all. Empty when everything is granted.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter(piece => !held.some(rule => covers(rule, piece)))
}

function breakDown(rule: PolicyRule): PolicyRule[] {
  const pieces: PolicyRule[] = []
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of rule.verbs) {
        const piece = { verbs: [verb], apiGroups: [group], resources: [resource] }
        const names = rule.resourceNames ?? []
        if (names.length === 0) pieces.push(piece)
        else pieces.push(...names.map(name => ({ ...piece, resourceNames: [name] })))
      }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) pieces.push({ verbs: [verb], nonResourceURLs: [url] })
  return pieces
}

function covers(held: PolicyRule, piece: PolicyRule): boolean {
  return (
    coversValue(held.verbs, piece.verbs[0]) &&
    coversValue(held.apiGroups, piece.apiGroups?.[0]) &&
    coversResource(held.resources ?? [], piece.resources?.[0]) &&
    coversUrl(held.nonResourceURLs ?? [], piece.nonResourceURLs?.[0]) &&
    coversName(held.resourceNames ?? [], piece.resourceNames?.[0])
  )
}

const coversValue = (held: readonly string[] = [], value: string | undefined): boolean =>
  value === undefined || held.includes(everything) || held.includes(value)

function coversResource(held: readonly string[], resource: string | undefined): boolean {
  if (coversValue(held, resource) || resource === undefined) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && held.includes(`*/${resource.slice(slash + 1)}`)
}

const coversUrl = (held: readonly string[], url: string | undefined): boolean =>
  url === undefined ||
  held.some(owned => owned === url || (owned.endsWith('*') && url.startsWith(owned.replace(/\*+$/, ''))))

/** Rights on named objects never add up to rights on all of them. */
const coversName = (held: readonly string[], name: string | undefined): boolean =>
  held.length === 0 || (name !== undefined && held.includes(name))

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

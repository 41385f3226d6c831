import { common, HeldRules, overlap, type RuleSet, type ValueClass } from './held-rules.js'
import type { PolicyRule } from './schema.js'

/**
 * Lists multiply: a rule of a few kilobytes stands for billions of combinations. They are checked class by class, where
 * the values of a class are matched by the same held rules. This many combinations of classes are checked for all
 * wanted rules together; any beyond that count as not granted.
 */
const maxCombinations = 100_000

/**
 * The parts of `wanted` that `held` does not grant: a rule for every group, resource and name (or path) that lacks a
 * verb, with all the verbs that it lacks. Nothing when everything is granted. There may be billions: take as many as
 * needed.
 */
export function* uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Generator<PolicyRule> {
  const rules = new HeldRules(held)
  const budget = { left: maxCombinations }
  // A required list is null if it was not set; such a rule grants nothing, and validation rejects it.
  for (const rule of wanted) if ((rule.verbs as string[] | null) !== null) yield* uncoveredPart(rules, rule, budget)
}

function* uncoveredPart(held: HeldRules, wanted: PolicyRule, budget: { left: number }): Generator<PolicyRule> {
  const verbs = held.verbs.classes(wanted.verbs)
  const groups = held.groups.classes(wanted.apiGroups ?? [])
  const resources = held.resources.classes(wanted.resources ?? [])
  const names = held.names(wanted.resourceNames ?? [])
  const missingVerbs = (granting: RuleSet): string[] => {
    budget.left -= verbs.length
    const missing = verbs.filter(({ rules }) => budget.left < 0 || !overlap(rules, granting))
    if (missing.length <= 1) return missing[0]?.values ?? []
    budget.left -= wanted.verbs.length
    const words = new Set(missing.flatMap(({ values }) => values))
    return [...new Set(wanted.verbs)].filter(verb => words.has(verb))
  }
  for (const group of groups)
    for (const resource of resources) {
      const both = common(group.rules, resource.rules)
      for (const name of names) {
        const missing = missingVerbs(common(both, name.rules))
        if (missing.length > 0) yield* combinations(missing, group, resource, name)
        if (budget.left < 0) return
      }
    }
  for (const url of held.urls.classes(wanted.nonResourceURLs ?? [])) {
    const missing = missingVerbs(url.rules)
    if (missing.length > 0) for (const path of url.values) yield { verbs: missing, nonResourceURLs: [path] }
    if (budget.left < 0) return
  }
}

function* combinations(verbs: string[], groups: ValueClass, resources: ValueClass, names: ValueClass) {
  for (const group of groups.values)
    for (const resource of resources.values) {
      const rule = { verbs, apiGroups: [group], resources: [resource] }
      if (names.values.length === 0) yield rule
      for (const name of names.values) yield { ...rule, resourceNames: [name] }
    }
}

/**
 * Joins rules about the same resource and name into one with all their verbs, for messages people can read; no more
 * than `most` of them, with no more than `most` verbs each.
 */
export function compactRules(rules: Iterable<PolicyRule>, most: number): PolicyRule[] {
  const compacted = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs])
    const same = compacted.get(key)
    if (same === undefined && compacted.size >= most) break
    if (same === undefined) compacted.set(key, { ...rule, verbs: rule.verbs.slice(0, most) })
    else for (const verb of rule.verbs.slice(0, most - same.verbs.length)) same.verbs.push(verb)
  }
  return [...compacted.values()]
}

import { withoutTrailing } from 'orch/sdk/files'
import { everything } from './describe-rule.js'
import type { PolicyRule } from './schema.js'

/** A set of held rules, one bit for each. */
export type RuleSet = Uint32Array

/** The held rules that two sets have in common. */
export const common = (one: RuleSet, other: RuleSet): RuleSet => one.map((bits, word) => bits & (other[word] ?? 0))
/** Whether two sets have a rule in common. */
export const overlap = (one: RuleSet, other: RuleSet): boolean => one.some((bits, word) => bits & (other[word] ?? 0))

/** Values of a wanted list that are matched by the same held rules, so that one check decides all of them. */
export interface ValueClass {
  readonly rules: RuleSet
  readonly values: string[]
}

/** Finds the held rules that match a value. */
class ValueIndex {
  readonly #of = new Map<string, number[]>()
  /** Rules that match every value. */
  readonly any: RuleSet
  readonly #wordsFor: (value: string) => readonly string[]

  /** `listed`: the words of a rule, of which `*` stands for all values. `wordsFor`: the words that match a value. */
  constructor(
    held: readonly PolicyRule[],
    listed: (rule: PolicyRule) => readonly string[] | undefined,
    wordsFor: (value: string) => readonly string[] = value => [value],
  ) {
    this.any = new Uint32Array(Math.ceil(held.length / 32))
    this.#wordsFor = wordsFor
    for (const [index, rule] of held.entries())
      for (const word of new Set(listed(rule))) {
        if (word === everything) add(this.any, index)
        const indexes = this.#of.get(word)
        if (indexes) indexes.push(index)
        else this.#of.set(word, [index])
      }
  }

  /** Groups the values so that those of a class are matched by the same rules. */
  classes(values: Iterable<string>): ValueClass[] {
    const found = new Map<string, ValueClass>()
    for (const value of new Set(values)) {
      const indexes = this.#wordsFor(value).flatMap(word => this.#of.get(word) ?? [])
      const key = indexes.join()
      const same = found.get(key)
      if (same) same.values.push(value)
      else found.set(key, { rules: this.#with(indexes), values: [value] })
    }
    return [...found.values()]
  }

  /** These rules, and those that match every value. */
  #with(indexes: readonly number[]): RuleSet {
    const set = this.any.slice()
    for (const index of indexes) add(set, index)
    return set
  }
}

const add = (set: RuleSet, index: number) => {
  set[index >> 5] = (set[index >> 5] ?? 0) | (1 << (index & 31))
}

/** The rules that a user holds, indexed by the values that they mention. */
export class HeldRules {
  readonly verbs: ValueIndex
  readonly groups: ValueIndex
  readonly resources: ValueIndex
  readonly urls: ValueIndex
  readonly #names: ValueIndex

  constructor(held: readonly PolicyRule[]) {
    this.verbs = new ValueIndex(held, rule => rule.verbs ?? [])
    this.groups = new ValueIndex(held, rule => rule.apiGroups)
    this.resources = new ValueIndex(held, rule => rule.resources, wordsForResource)
    // Rights on named objects never add up to rights on all of them, and a name is never a pattern.
    this.#names = new ValueIndex(
      held,
      ({ resourceNames }) => ((resourceNames ?? []).length === 0 ? [everything] : resourceNames?.map(exactly)),
      name => [exactly(name)],
    )
    const lengths = new Set(
      held.flatMap(rule => (rule.nonResourceURLs ?? []).flatMap(prefixOf)).map(({ length }) => length),
    )
    this.urls = new ValueIndex(
      held,
      rule => (rule.nonResourceURLs ?? []).flatMap(url => [exactly(url), ...prefixOf(url).map(below)]),
      url => [exactly(url), ...[...lengths].filter(at => at <= url.length).map(at => below(url.slice(0, at)))],
    )
  }

  /** The names that a rule wants; one class without names when it wants all objects. */
  names(wanted: readonly string[]): ValueClass[] {
    return wanted.length === 0 ? [{ rules: this.#names.any, values: [] }] : this.#names.classes(wanted)
  }
}

/** `*` before a slash stands for every resource that has this subresource. */
function wordsForResource(resource: string): string[] {
  const slash = resource.indexOf('/')
  return slash < 0 ? [resource] : [resource, `*/${resource.slice(slash + 1)}`]
}
const exactly = (text: string) => `=${text}`
const below = (prefix: string) => `^${prefix}`
const prefixOf = (url: string) => (url.endsWith('*') ? [withoutTrailing(url, '*')] : [])

import { isObject, type JsonObject, own, quoted, recursedLevels, setOwn, shallowCopy } from '../json/index.js'
import {
  deleteFromListPrefix,
  fieldOfDirective,
  isListDirective,
  isOnlyInstruction,
  patchDirective,
  replacement,
  retainKeys,
  retainKeysDirective,
  setElementOrderPrefix,
  withoutDirectives,
} from './directives.js'
import { malformed, unprocessable } from './errors.js'
import { checkElementOrder, identityOf, identityText, orderAfterDeletions, orderMerged } from './list-order.js'

/** How a list merges item by item. */
export interface ListRule<N> {
  /** The field that identifies an item. Lists of scalars need none. */
  readonly mergeKey?: string
  readonly item: N | undefined
}

/** The merge rules of a schema. `N` is the caller's node for a location in it; undefined where nothing is known. */
export interface MergeRules<N> {
  /** A field of the object at a place; `isReplaced` when it is not merged. */
  field(place: N | undefined, name: string): { readonly place: N | undefined; readonly isReplaced?: boolean }
  /** How the list at a place merges with these items; undefined replaces it. */
  list(place: N | undefined, patch: readonly unknown[]): ListRule<N> | undefined
  /** The merge key of the list at a place, whether it is merged or not. */
  mergeKey(place: N | undefined): string | undefined
  /** Where new items go. By default they keep the order of the patch, in front of those that only the object has. */
  arrange?(place: N | undefined, kept: readonly unknown[], added: readonly unknown[]): unknown[]
}

/**
 * Strategic merge patch: a merge patch whose lists merge item by item where the schema names a merge key, and whose
 * `$` directives delete, replace and order. Returns a new object; neither argument changes.
 */
export function strategicMerge<N>(
  original: JsonObject,
  patch: unknown,
  rules: MergeRules<N>,
  place: N | undefined,
): JsonObject {
  if (!isObject(patch)) throw malformed('invalid JSON document')
  return new Merge(rules).run(original, patch, place)
}

/** The maximum depth of values that have rules. Only recursive types nest deeper. */
const maxKnownLevels = 1_000

class Merge<N> {
  readonly #rules: MergeRules<N>
  /** Merges that are nested too deep for the stack. */
  readonly #later: (() => void)[] = []
  constructor(rules: MergeRules<N>) {
    this.#rules = rules
  }

  run(original: JsonObject, patch: JsonObject, place: N | undefined): JsonObject {
    const merged = this.#object(original, patch, place, 0)
    for (const merge of this.#later) merge()
    return merged
  }

  #object(original: JsonObject, patch: JsonObject, place: N | undefined, level: number): JsonObject {
    if (level > maxKnownLevels) throw malformed(`the patch nests deeper than ${maxKnownLevels} levels`)
    const directive = own(patch, patchDirective)
    if (directive === 'delete') return {}
    if (directive === 'replace') return replacement(patch) as JsonObject
    if (directive !== undefined && directive !== 'merge') throw unknownPatchType(directive, patch)

    const result = shallowCopy(retainKeys(original, patch))
    const done = new Set<string>([patchDirective, retainKeysDirective])
    for (const key of Object.keys(patch)) {
      if (key.startsWith(deleteFromListPrefix)) deleteFromList(result, patch, key)
    }
    for (const key of Object.keys(patch)) {
      if (key.startsWith(setElementOrderPrefix)) done.add(this.#mergeInOrder(result, patch, key, place, level))
    }
    for (const key of Object.keys(patch)) {
      if (done.has(key) || isListDirective(key)) continue
      const value = own(patch, key)
      if (value === null || (isOnlyInstruction(value) && !isObject(own(result, key)))) delete result[key]
      else {
        const field = this.#rules.field(place, key)
        const mergeAt = (below: number) => setOwn(result, key, this.#value(own(result, key), value, field, below))
        // Lists with rules are ordered by the content of their items, so their items are merged immediately.
        if (level < recursedLevels || field.place !== undefined || typeof value !== 'object') mergeAt(level + 1)
        else this.#later.push(() => mergeAt(1))
      }
    }
    return result
  }

  #value(
    original: unknown,
    patch: unknown,
    { place, isReplaced }: ReturnType<MergeRules<N>['field']>,
    level: number,
  ): unknown {
    if (isObject(original) && isObject(patch)) {
      return isReplaced ? replacement(patch) : this.#object(original, patch, place, level)
    }
    if (Array.isArray(original) && Array.isArray(patch)) {
      const rule = this.#rules.list(place, patch)
      return rule ? this.#list(original, patch, rule, place, level) : patch
    }
    return withoutDirectives(patch)
  }

  #list(original: unknown[], patch: unknown[], rule: ListRule<N>, place: N | undefined, level: number): unknown[] {
    const all = [...original, ...patch]
    if (all.some(Array.isArray)) throw unprocessable('lists of lists are not supported')
    const objects = all.filter(isObject).length
    if (objects === 0) return orderMerged([...new Set(all)], patch, original, undefined)
    if (objects < all.length) throw malformed('expected all items of a list to be of one type')
    if (rule.mergeKey === undefined) throw malformed('cannot merge lists without merge key')
    const keyed = { ...rule, mergeKey: rule.mergeKey }
    return this.#objects(original as JsonObject[], patch as JsonObject[], keyed, place, level)
  }

  #objects(
    original: JsonObject[],
    patch: JsonObject[],
    rule: KeyedListRule<N>,
    place: N | undefined,
    level: number,
  ): unknown[] {
    const { mergeKey } = rule
    const plain = patch.filter(item => own(item, patchDirective) === undefined)
    const deleted = new Set<string>()
    let replaced = false
    for (const item of patch) {
      const directive = own(item, patchDirective)
      if (directive === undefined) continue
      if (directive === 'delete') deleted.add(identityText(item, mergeKey))
      else if (directive === 'replace') replaced = true
      else if (directive === 'merge') throw malformed('merging lists cannot yet be specified in the patch')
      else throw unknownPatchType(directive, item)
    }
    if (replaced) {
      for (const item of plain) identityOf(item, mergeKey)
      return plain.map(replacement)
    }
    const live = deleted.size === 0 ? original : original.filter(item => !deleted.has(identityText(item, mergeKey)))
    const merged = this.#items(live, plain, rule, level)
    const arranged = this.#rules.arrange?.(place, merged.slice(0, live.length), merged.slice(live.length))
    return arranged ?? orderMerged(merged, plain, live, mergeKey)
  }

  /** Each item of the patch is merged into the first item with the same identity, or added at the end. */
  #items(
    live: JsonObject[],
    plain: JsonObject[],
    { mergeKey, item: place }: KeyedListRule<N>,
    level: number,
  ): JsonObject[] {
    const merged = [...live]
    const positions = new Map<string, number>()
    live.forEach((item, position) => {
      const identity = identityText(item, mergeKey)
      if (!positions.has(identity)) positions.set(identity, position)
    })
    for (const item of plain) {
      const identity = identityText(item, mergeKey)
      const position = positions.get(identity)
      if (position === undefined) {
        positions.set(identity, merged.length)
        merged.push(replacement(item) as JsonObject)
      } else merged[position] = this.#object(merged[position]!, item, place, level + 1)
    }
    return merged
  }

  /** Merges the list that a `$setElementOrder` is about and puts it in that order. Returns the list's key. */
  #mergeInOrder(result: JsonObject, patch: JsonObject, directive: string, place: N | undefined, level: number): string {
    const complaint = 'invalid patch format of setElementOrder list'
    const key = fieldOfDirective(directive, setElementOrderPrefix, complaint)
    const order = own(patch, directive)
    const live = own(result, key)
    const sent = own(patch, key)
    if (!Array.isArray(order)) throw malformed(complaint)
    if (sent === null) {
      delete result[key]
      return key
    }
    if ((live !== undefined && !Array.isArray(live)) || (sent !== undefined && !Array.isArray(sent))) {
      throw malformed(complaint)
    }
    const field = this.#rules.field(place, key)
    const mergeKey = this.#rules.mergeKey(field.place)
    checkElementOrder(sent ?? [], order, mergeKey)
    if (live === undefined && sent === undefined) return key
    const merged = sent === undefined ? live : this.#value(live, sent, field, level + 1)
    const liveOrder = orderAfterDeletions(live ?? [], sent ?? [], mergeKey)
    setOwn(result, key, orderMerged(merged as unknown[], order, liveOrder, mergeKey))
    return key
  }
}
type KeyedListRule<N> = ListRule<N> & { readonly mergeKey: string }

function deleteFromList(result: JsonObject, patch: JsonObject, directive: string): void {
  const complaint = 'invalid patch format of primitive list'
  const key = fieldOfDirective(directive, deleteFromListPrefix, complaint)
  const removed = own(patch, directive)
  const live = own(result, key)
  if (!Array.isArray(removed)) throw malformed(complaint)
  if (live === undefined) return
  if (!Array.isArray(live)) throw malformed(complaint)
  const gone = new Set<unknown>(removed)
  setOwn(
    result,
    key,
    live.filter(item => !gone.has(item)),
  )
}

const unknownPatchType = (directive: unknown, patch: JsonObject) =>
  unprocessable(`unknown patch type: ${quoted(directive)} in map: ${quoted(patch)}`)

import type { InTurns } from '../../contracts/in-turns.js'
import { isAtomic, type TypeNode } from '../../schema/type-model.js'
import { emptySet, type FieldSetDraft } from './field-set.js'
import type { JsonObject } from './json-values.js'
import { fieldElement } from './path-element.js'

/** More keys than this are added to a set in turns: V8 hashes and keeps the text of each (test/limits/large). */
const keysPerTurn = 5000

/** A map whose keys are still to be added to a set. */
interface WideMap {
  readonly set: FieldSetDraft
  readonly map: JsonObject
  readonly keys: readonly string[]
}

/** The maps that were too wide for the walk that came across them. */
export class WideMaps {
  readonly #found: WideMap[] = []

  /** Whether the map is added later. Only maps whose values are units: nothing below them has to be walked. */
  putsOff(set: FieldSetDraft, map: JsonObject, keys: readonly string[], node: TypeNode): boolean {
    if (keys.length <= keysPerTurn || node.is !== 'map') return false
    if (node.value.is !== 'scalar' && !isAtomic(node.value)) return false
    this.#found.push({ set, map, keys })
    return true
  }

  get areNone(): boolean {
    return this.#found.length === 0
  }

  /** Adds the keys of all of them so far. */
  *add(): InTurns<void> {
    for (const { set, map, keys } of this.#found.splice(0))
      for (let index = 0; index < keys.length; index++) {
        if (index % keysPerTurn === 0) yield
        const key = keys[index]!
        if (map[key] !== undefined) set[fieldElement(key)] = emptySet as FieldSetDraft
      }
  }
}

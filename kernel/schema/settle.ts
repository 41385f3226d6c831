import { unsetTest, zeroValue } from './presence.js'
import type { FieldNode, StructNode, TypeNode } from './type-model.js'

/**
 * Gives an object the form it is stored in, in place: values that say nothing go, what is always written is there. Decoding did
 * this to what the client sent; strategies, defaults and admission may have left empty lists or half-filled structs since, and
 * an empty list that is always written is told from an unset one only until here.
 */
export type Settle = (object: object) => void

export function compileSettle(node: StructNode): Settle {
  return new SettleCompiler().struct(node) as Settle
}

type Step = (value: unknown) => void

class SettleCompiler {
  readonly #structs = new Map<StructNode, Step>()

  struct(node: StructNode): Step {
    const known = this.#structs.get(node)
    if (known) return known
    const fields: SettledField[] = []
    const settle: Step = value => settleFields(fields, value as Record<string, unknown>)
    // Registered before its fields are compiled: a struct may contain itself.
    this.#structs.set(node, settle)
    for (const field of node.fields.values()) fields.push(this.#field(field))
    return settle
  }

  #field(field: FieldNode): SettledField {
    return {
      name: field.name,
      isUnset: unsetTest(field),
      inner: this.#inside(field.node),
      zero: field.presence === 'always' ? this.#zero(field) : undefined,
    }
  }

  /** What to do inside a value; undefined for those that have no fields inside. */
  #inside(node: TypeNode): Step | undefined {
    if (node.is === 'struct') return this.struct(node)
    if (node.is !== 'list' && node.is !== 'map') return undefined
    const item = this.#inside(node.is === 'list' ? node.item : node.value)
    if (!item) return undefined
    return value => {
      for (const each of Object.values(value as object)) if (each !== null) item(each)
    }
  }

  #zero({ node, nullable }: FieldNode): () => unknown {
    if (nullable) return () => null
    if (node.is !== 'struct') return () => zeroValue(node, false)
    const settle = this.struct(node)
    return () => {
      const empty = {}
      settle(empty)
      return empty
    }
  }
}

interface SettledField {
  readonly name: string
  readonly isUnset: (value: unknown) => boolean
  readonly inner: Step | undefined
  readonly zero: (() => unknown) | undefined
}

function settleFields(fields: readonly SettledField[], object: Record<string, unknown>): void {
  for (let index = 0; index < fields.length; index++) {
    const { name, isUnset, inner, zero } = fields[index]!
    const value = object[name]
    if (value !== undefined && !isUnset(value)) inner?.(value)
    else if (zero !== undefined) object[name] = zero()
    else if (value !== undefined) delete object[name]
  }
}

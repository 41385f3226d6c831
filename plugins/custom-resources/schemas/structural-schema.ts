import { addAll, type FieldError } from 'orch/sdk'
import { coerceEmbedded, validateEmbedded } from './embedded-objects.js'
import { compileDefaults, type Fill } from './fill-defaults.js'
import { uniqueItems } from './list-items.js'
import { compilePrune, type PruneReport } from './prune.js'
import type { SchemaNode } from './schema-node.js'
import { type Check, compileCheck } from './validate-value.js'
import { compileVisitor, type Visit } from './visit.js'

/** Everything that is done to objects because of their schema, compiled when it is first needed. */
export class StructuralSchema {
  readonly schema: SchemaNode
  readonly #prune = once(() => compilePrune(this.schema, true))
  readonly #coerce = once(() => compileVisitor(this.schema, coerceEmbedded))
  readonly #fill = once((): Fill => compileDefaults(this.schema))
  readonly #check = once((): Check => compileCheck(this.schema))
  readonly #embedded = once(() => compileVisitor(this.schema, validateEmbedded))
  readonly #lists = once(() => compileVisitor(this.schema, uniqueItems))

  constructor(schema: SchemaNode) {
    this.schema = schema
  }

  /** Copies an object without the fields that the schema does not have, and brings objects inside it into shape. */
  prune(object: unknown, report: PruneReport = {}): Record<string, unknown> {
    const copy = this.#prune()(object, '', report) as Record<string, unknown>
    this.#coerce()?.(copy, '', [], undefined)
    return copy
  }

  /** Fills in defaults, in place, and drops nulls that are not allowed. */
  fillDefaults(object: unknown): void {
    this.#fill()(object)
  }

  /**
   * What is wrong with an object, without its rules in CEL. Items that are repeated already in the object before are no reason
   * to refuse a change: the schema may say only since then that they must not be.
   */
  validate(object: unknown, before?: unknown): FieldError[] {
    const errors: FieldError[] = []
    this.#check()(object, '', errors)
    this.#embedded()?.(object, '', errors, undefined)
    const repeated = validateWith(this.#lists(), object)
    if (repeated.length > 0 && (before === undefined || validateWith(this.#lists(), before).length === 0))
      addAll(errors, repeated)
    return errors
  }
}

const validateWith = (visit: Visit | undefined, object: unknown): FieldError[] => {
  const errors: FieldError[] = []
  visit?.(object, '', errors, undefined)
  return errors
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** A second look at one value, such as a default: the same, from a path of its own. */
export function validateValue(schema: SchemaNode, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  compileCheck(schema, path)(value, path, errors)
  for (const visitorOf of [validateEmbedded, uniqueItems]) {
    const found: FieldError[] = []
    compileVisitor(schema, each => visitorOf(each, false))?.(value, path, found, undefined)
    addAll(errors, found)
  }
  return errors
}

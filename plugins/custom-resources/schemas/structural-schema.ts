import { addAll, duplicate, type FieldError } from 'orch/sdk'
import { coerceEmbedded, validateEmbedded } from './embedded-objects.js'
import { compileDefaults, type Fill } from './fill-defaults.js'
import { compilePrune, type PruneReport } from './prune.js'
import type { SchemaNode } from './schema-node.js'
import { type Check, canonical, compileCheck } from './validate-value.js'
import { compileVisitor, itemKey, type Visit } from './visit.js'

/** The operations on objects that follow from their schema, each compiled on first use. */
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

  /** Copies an object without unknown fields and normalizes embedded objects. */
  prune(object: unknown, report: PruneReport = {}): Record<string, unknown> {
    const copy = this.#prune()(object, '', report) as Record<string, unknown>
    this.#coerce()?.(copy, '', [], undefined)
    return copy
  }

  /** Sets defaults in place and drops nulls that are not allowed. */
  fillDefaults(object: unknown): void {
    this.#fill()(object)
  }

  /**
   * Validates an object without its CEL rules. Duplicate items that the stored object already has are tolerated, because the schema
   * may have been tightened since.
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

/** Validates a single value, such as a default, with errors relative to `path`. */
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

/** Reports duplicate items of sets and map lists. */
function uniqueItems({ listType, listMapKeys }: SchemaNode): Visit | undefined {
  if (listType !== 'set' && listType !== 'map') return undefined
  const keyOf = listType === 'set' ? canonical : (item: unknown) => itemKey(item, listMapKeys)
  return (value, path, errors) => {
    if (!Array.isArray(value)) return
    const seen = new Set<string>()
    const reported = new Set<string>()
    value.forEach((item, index) => {
      const key = keyOf(item)
      if (seen.has(key) && !reported.has(key)) {
        reported.add(key)
        errors.push(duplicate(`${path}[${index}]`, listType === 'set' ? item : shownKey(item, listMapKeys)))
      }
      seen.add(key)
    })
  }
}

const shownKey = (item: unknown, keys: readonly string[]) =>
  Object.fromEntries(keys.map(key => [key, (item as Record<string, unknown> | null)?.[key] ?? null]))

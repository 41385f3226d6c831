import { addAll, duplicate, type FieldError, invalidValue, isRecord } from 'orch/sdk'
import { type SchemaNode, schemasWith } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'
import type { Check, CheckOptions } from './check.js'
import { Correlation } from './correlation.js'
import { coerceEmbedded, validateEmbedded } from './embedded-objects.js'
import { compileDefaults, type Fill } from './fill-defaults.js'
import { compilePrune, type PruneReport } from './prune.js'
import { canonical, compileCheck, maxErrors } from './validate-value.js'
import { compileVisitor, itemKey, type Visit } from './visit.js'
import { costs, defaultMaxWork, Work } from './work.js'

/** The operations on objects that follow from their schema, each compiled on first use. */
export class StructuralSchema {
  readonly schema: SchemaNode
  readonly #keywords: SchemaKeywords
  readonly #options: CheckOptions
  readonly #text = once(() => JSON.stringify(this.schema.source))
  readonly #prune = once(() => compilePrune(this.schema, true))
  /** Receives the dropped fields while an object is pruned. */
  readonly #report: { leftOut?: PruneReport['leftOut'] } = {}
  readonly #coerce = once(() => this.#visitor(coerceEmbedded(this.#report), this.#keywords.embeddedResource))
  readonly #fill = once((): Fill => compileDefaults(this.schema))
  readonly #check = once((): Check => compileCheck(this.schema, this.#options))
  readonly #checkStatus = once((): Check | undefined => {
    const status = this.schema.properties.get('status')
    return status && compileCheck(status, this.#options)
  })
  readonly #embedded = once(() => this.#visitor(validateEmbedded, this.#keywords.embeddedResource))
  readonly #lists = once(() => this.#visitor(uniqueItems, this.#keywords.listType))

  constructor(schema: SchemaNode, keywords: SchemaKeywords, options: CheckOptions) {
    this.schema = schema
    this.#keywords = keywords
    this.#options = options
  }

  get #statusPath(): string {
    return this.#options.wholeStatusPaths === false ? '' : 'status'
  }

  /** The schema as text, for the validation thread. */
  get text(): string {
    return this.#text()
  }

  #visitor(visitorOf: (schema: SchemaNode, isRoot: boolean) => Visit | undefined, keyword: string): Visit | undefined {
    return compileVisitor(this.schema, visitorOf, true, schemasWith(this.schema.source, keyword))
  }

  /** Copies an object without unknown fields and normalizes embedded objects. */
  prune(object: unknown, report: PruneReport = {}): Record<string, unknown> {
    const dropped: string[] = []
    const leftOut = report.leftOut && ((path: string) => void dropped.push(path))
    const copy = this.#prune()(object, '', { ...report, leftOut }) as Record<string, unknown>
    // Sorted by name, as they are reported everywhere, with those of embedded metadata last.
    for (const path of dropped.sort()) report.leftOut?.(path)
    this.#report.leftOut = report.leftOut
    this.#coerce()?.(copy, '', [], undefined)
    return copy
  }

  /** Sets defaults in place and drops nulls that are not allowed. */
  fillDefaults(object: unknown): void {
    this.#fill()(object)
  }

  /**
   * Validates an object without its CEL rules. Duplicate items that the stored object already has are tolerated,
   * because the schema may have been tightened since. Throws a WorkExceeded if it is more work than allowed.
   */
  validate(
    object: unknown,
    { before, correlation, ofStatus = false, work = new Work(defaultMaxWork) }: Validation = {},
  ) {
    const errors: FieldError[] = []
    const { statusAlone = true, statusItems = true } = this.#options
    if (!ofStatus || !statusAlone) this.#check()(object, '', errors, work, correlation)
    else if (isRecord(object) && Object.hasOwn(object, 'status'))
      this.#checkStatus()?.(object['status'], this.#statusPath, errors, work, correlation?.key('status'))
    if (!ofStatus) this.#embedded()?.(object, '', errors, undefined, work)
    const repeated = ofStatus && !statusItems ? [] : validateWith(this.#lists(), object, work)
    if (repeated.length > 0 && (before === undefined || validateWith(this.#lists(), before, work).length === 0))
      addAll(errors, repeated)
    return errors.length > maxErrors ? withoutRest(errors) : errors
  }

  /** An updated object beside the stored one. */
  correlate(object: unknown, before: unknown): Correlation {
    return new Correlation(object, before, this.schema)
  }
}

/** Parameters of a validation. */
export interface Validation {
  /** The stored object on updates. */
  readonly before?: unknown
  /** The same as a correlation, if unchanged values may stay invalid. */
  readonly correlation?: Correlation | undefined
  /** Whether only the status was written. Embedded objects are not validated then. */
  readonly ofStatus?: boolean
  readonly work?: Work
}

/** Keeps only the first errors. */
function withoutRest(errors: readonly FieldError[]): FieldError[] {
  const last = invalidValue('<nil>', '', `there are more errors than the first ${maxErrors}`)
  return [...errors.slice(0, maxErrors), last]
}

const validateWith = (visit: Visit | undefined, object: unknown, work: Work): FieldError[] => {
  const errors: FieldError[] = []
  visit?.(object, '', errors, undefined, work)
  return errors
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Validates a default, with errors relative to `path`, apart from the objects in it. Duplicate items of sets are reported
 * when objects have them.
 */
export function validateDefaultValue(
  schema: SchemaNode,
  value: unknown,
  path: string,
  options: CheckOptions,
  work: Work,
): FieldError[] {
  const errors: FieldError[] = []
  compileCheck(schema, { ...options, ofDefaults: true }, path)(value, path, errors, work)
  return errors
}

/** Reports duplicate items of sets and map lists, or the first item of a map list that has no keys because it is no object. */
function uniqueItems({ listType, listMapKeys }: SchemaNode): Visit | undefined {
  if (listType !== 'set' && listType !== 'map') return undefined
  const keyOf = listType === 'set' ? canonical : (item: unknown) => itemKey(item, listMapKeys)
  return (value, path, errors, _, work) => {
    if (!Array.isArray(value)) return
    const odd = listType === 'map' ? value.findIndex(item => item !== null && !isRecord(item)) : -1
    if (odd >= 0) {
      errors.push(invalidValue(`${path}[${odd}]`, value[odd], 'must be an object for an array of list-type map'))
      return
    }
    const seen = new Set<string>()
    const reported = new Set<string>()
    value.forEach((item, index) => {
      const key = keyOf(item)
      work?.charge(costs.visit + costs.canonicalCharacter * key.length, path)
      if (errors.length > maxErrors) return
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

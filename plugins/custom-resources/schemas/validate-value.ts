import { addAll, type FieldError, invalidValue, type JsonObject, notSupported, requiredValue, tooMany } from 'orch/sdk'
import { itemSchema, type SchemaNode } from '../../../libs/json-schema/index.js'
import type { Check, CheckOptions } from './check.js'
import { numberChecks } from './validate-number.js'
import { textChecks } from './validate-text.js'
import { costs, type Work } from './work.js'

/** The field of errors of `allOf`, `anyOf`, `oneOf` and `not`. */
const noField = '<nil>'

/**
 * Compiles the constraints of a schema into a function. Not ajv, because a definition of 20 fields and its first
 * object take 1 ms instead of 7, which matters more with thousands of definitions than 11 µs instead of 5 per object,
 * and because errors have to match those of Kubernetes, such as the errors of the best matching part of `anyOf`.
 */
export function compileCheck(schema: SchemaNode, options: CheckOptions, root = noField): Check {
  const checksOfAnyValue = [typeCheck(schema, options), enumCheck(schema)].filter(check => check !== undefined)
  const ofOthers = [
    ...logicalChecks(schema, options, root),
    ...textChecks(schema, options),
    ...numberChecks(schema, options, root),
    listCheck(schema, options, root),
    objectCheck(schema, options, root),
  ].filter(check => check !== undefined)
  const cost = costs.visit + checksOfAnyValue.length + ofOthers.length
  return (value, path, errors, work, stored) => {
    work.charge(cost, path)
    const before = errors.length
    for (const check of checksOfAnyValue) check(value, path, errors, work)
    if (value !== null) for (const check of ofOthers) check(value, path, errors, work, stored)
    if (errors.length > before && stored?.isUnchanged(work)) errors.length = before
  }
}

/** Compiles on first use: most of a large schema is never needed. */
function lazily(schema: SchemaNode, options: CheckOptions, root: string): Check {
  let check: Check | undefined
  return (value, path, errors, work, stored) => {
    if (!check) {
      work.charge(compilationCost(schema), path)
      check = compileCheck(schema, options, root)
    }
    check(value, path, errors, work, stored)
  }
}

/** The cost of compiling the check of one schema, without the schemas inside it. */
const compilationCost = ({ properties, enum: values, required, anyOf, oneOf, allOf }: SchemaNode): number =>
  costs.compiledField *
  (10 + properties.size + (values?.length ?? 0) + required.length + anyOf.length + oneOf.length + allOf.length)

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: value => typeof value === 'string',
  integer: Number.isInteger,
  number: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
}
const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number' && Number.isInteger(value)
        ? 'integer'
        : typeof value

function typeCheck(
  { type, intOrString, nullable }: SchemaNode,
  { typedReasons, ofDefaults = false }: CheckOptions,
): Check | undefined {
  const wanted = intOrString && !ofDefaults ? ['integer', 'string'] : type === '' ? [] : [type]
  if (wanted.length === 0) return undefined
  const [first = '', second] = wanted
  const isFirst = typeTests[first] ?? (() => false)
  const isSecond = second === undefined ? () => false : typeTests[second]!
  return (value, path, errors, work) => {
    if (isFirst(value) || isSecond(value) || (value === null && nullable)) return
    work.charge(costs.error, path)
    const shown = typeof value === 'object' && value !== null ? typeOf(value) : (value ?? 'null')
    const error = invalidValue(path, shown, `must be of type ${wanted.join(',')}: "${typeOf(value)}"`)
    errors.push(typedReasons ? { ...error, type: 'FieldValueTypeInvalid' } : error)
  }
}

function enumCheck({ enum: values }: SchemaNode): Check | undefined {
  if (!values) return undefined
  const scalars = new Set(values)
  const others = new Set(
    values.filter(value => typeof value === 'object' && value !== null).map(value => canonical(value)),
  )
  const supported = values.map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
  // The error lists all supported values.
  const errorCost = costs.error + supported.reduce((length, text) => length + text.length + 4, 0)
  return (value, path, errors, work) => {
    if (scalars.has(value)) return
    if (others.size > 0 && typeof value === 'object' && value !== null) {
      const text = canonical(value)
      work.charge(costs.canonicalCharacter * text.length, path)
      if (others.has(text)) return
    }
    work.charge(errorCost, path)
    errors.push(notSupported(path, value, supported))
  }
}

/** A canonical serialization, independent of the order of fields. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

function listCheck(schema: SchemaNode, options: CheckOptions, root: string): Check | undefined {
  const { minItems, maxItems } = schema
  const items = itemSchema(schema)
  if (!items && minItems === undefined && maxItems === undefined) return undefined
  const checkItem = items && lazily(items, options, root)
  const { typedReasons } = options
  return (value, path, errors, work, stored) => {
    if (!Array.isArray(value)) return
    if (checkItem)
      for (let index = 0; index < value.length; index++) {
        if (errors.length > maxErrors) return
        work.charge(costs.indexedPath, path)
        checkItem(value[index], typedReasons ? itemPath(path, index, root) : path, errors, work, stored?.index(index))
      }
    if (minItems !== undefined && value.length < minItems)
      errors.push(invalidValue(path, value.length, `should have at least ${minItems} items`))
    if (maxItems !== undefined && value.length > maxItems)
      errors.push(
        typedReasons
          ? tooMany(path, value.length, maxItems)
          : invalidValue(path, value.length, `should have at most ${maxItems} items`),
      )
  }
}

function objectCheck(schema: SchemaNode, options: CheckOptions, root: string): Check | undefined {
  const { properties, additionalProperties, required, minProperties, maxProperties } = schema
  const hasNothing = properties.size === 0 && additionalProperties === undefined && required.length === 0
  if (hasNothing && minProperties === undefined && maxProperties === undefined) return undefined
  const fields = new Map<string, Check>()
  const fieldOf = (name: string): Check | undefined => {
    const known = fields.get(name)
    if (known || !properties.has(name)) return known
    const check = lazily(properties.get(name)!, options, root)
    fields.set(name, check)
    return check
  }
  const checkOther = typeof additionalProperties === 'object' ? lazily(additionalProperties, options, root) : undefined
  const isClosed = additionalProperties === false
  return (value, path, errors, work, stored) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const object = value as JsonObject
    const names = Object.keys(object)
    work.charge(names.length + required.length, path)
    if (minProperties !== undefined && names.length < minProperties)
      errors.push(invalidValue(path, names.length, `should have at least ${minProperties} properties`))
    if (maxProperties !== undefined && names.length > maxProperties)
      errors.push(
        options.typedReasons
          ? tooMany(path, names.length, maxProperties)
          : invalidValue(path, names.length, `should have at most ${maxProperties} properties`),
      )
    const prefix = path === '' || path === noField ? '' : `${path}.`
    for (const name of names) {
      if (errors.length > maxErrors) return
      const check = fieldOf(name) ?? checkOther
      if (check)
        check(object[name], prefix + name, errors, work, isTypeOfObject(path, name) ? undefined : stored?.key(name))
      else if (isClosed) errors.push(invalidValue(prefix + name, '', 'is a forbidden property'))
    }
    for (const name of required) if (!Object.hasOwn(object, name)) errors.push(requiredValue(prefix + name))
  }
}

/** The path of an item. The path of a list that is a default is that of the root. */
const itemPath = (path: string, index: number, root: string) =>
  path === root ? `${path}.[${index}]` : `${path}[${index}]`

/** Kind and version of a whole object are not correlated: the stored object has been converted to the same ones. */
const isTypeOfObject = (path: string, name: string) => path === '' && (name === 'kind' || name === 'apiVersion')

function logicalChecks({ anyOf, oneOf, allOf, not }: SchemaNode, options: CheckOptions, root: string): Check[] {
  const checks: Check[] = []
  const report = (errors: FieldError[], detail: string, path: string) =>
    errors.push(invalidValue(root, '', `"${path}" ${detail}`))
  if (anyOf.length > 0) {
    const parts = anyOf.map(part => lazily(part, options, root))
    checks.push((value, path, errors, work) => {
      let best: FieldError[] | undefined
      for (const part of parts) {
        const found = failures(part, value, path, work)
        if (found.length === 0) return
        best ??= found
      }
      report(errors, 'must validate at least one schema (anyOf)', path)
      addAll(errors, best!.slice(0, maxPartErrors))
    })
  }
  if (oneOf.length > 0) {
    const parts = oneOf.map(part => lazily(part, options, root))
    checks.push((value, path, errors, work) => {
      let best: FieldError[] | undefined
      let matches = 0
      for (const part of parts) {
        const found = failures(part, value, path, work)
        if (found.length === 0) matches++
        else best ??= found
      }
      if (matches === 1) return
      report(
        errors,
        matches === 0
          ? 'must validate one and only one schema (oneOf). Found none valid'
          : `must validate one and only one schema (oneOf). Found ${matches} valid alternatives`,
        path,
      )
      if (matches === 0) addAll(errors, best!.slice(0, maxPartErrors))
    })
  }
  if (allOf.length > 0) {
    const parts = allOf.map(part => lazily(part, options, root))
    checks.push((value, path, errors, work) => {
      const found = parts.flatMap(part => failures(part, value, path, work))
      if (found.length === 0) return
      addAll(errors, found.slice(0, maxPartErrors))
      report(errors, 'must validate all the schemas (allOf)', path)
    })
  }
  if (not) {
    const part = lazily(not, options, root)
    checks.push((value, path, errors, work) => {
      if (failures(part, value, path, work).length === 0) report(errors, 'must not validate the schema (not)', path)
    })
  }
  return checks
}

/** Further errors would not help the user. */
const maxPartErrors = 100
/** The same for a whole object: a list may have a million invalid items. */
export const maxErrors = 1000

function failures(check: Check, value: unknown, path: string, work: Work): FieldError[] {
  const errors: FieldError[] = []
  check(value, path, errors, work)
  return errors
}

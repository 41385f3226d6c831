import { type FieldError, forbiddenField, isRecord } from 'orch/sdk'
import { formatCheck, itemSchema, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import { patternSize } from '../../../libs/patterns/index.js'
import { compileCost } from '../schemas/pattern.js'
import { costs, type Work } from '../schemas/work.js'
import type { JsonSchema } from './schema.js'

/** The largest request: no object has more characters. */
const maxObjectCharacters = 3 * 2 ** 20
/** Larger patterns take too long to compile. */
const maxPatternSize = 20_000
/** Nested schemas are processed recursively. */
const maxDepth = 500
/** The shortest item of a list: a digit and a comma. */
const minItemCharacters = 2
/** The shortest entry of a map: `"":0,`. */
const minEntryCharacters = 5
/** The number of checks of every value that are not counted one by one. */
const checksOfValue = 6 + costs.indexedPath

/**
 * The estimate assumes an object that consists only of the most expensive values, unlike real objects, so it may exceed
 * the limit by this factor: published definitions have addresses and schedules with patterns of hundreds of
 * instructions, and no maxLength. Objects that do exceed the limit are rejected one by one.
 */
const maxEstimateFactor = 10

/** The cost of all values at one position of a schema. */
interface Position {
  readonly path: string
  /** The keyword that an error is about. */
  readonly rule: string
  /** Units of work for each character of the object that belongs to them. */
  readonly density: number
  /** The maximum cost of all of them; infinite where the schema limits neither their number nor their length. */
  readonly cap: number
}

/** Rejects a schema if an object within the size limit of requests could exceed the work limit of a validation. */
export function validateWorstCase(schema: SchemaNode, path: string, maxWork: number): FieldError[] {
  const positions: Position[] = []
  collect(schema, path, { count: 1, shortest: maxObjectCharacters }, positions)
  // The worst object spends its characters on the positions where each of them costs most.
  positions.sort((one, other) => other.density - one.density)
  let charactersLeft = maxObjectCharacters
  let work = 0
  let worst: { position: Position; work: number } | undefined
  for (const position of positions) {
    if (charactersLeft <= 0) break
    const characters = Math.min(charactersLeft, position.cap / position.density)
    const added = Math.min(position.cap, characters * position.density)
    charactersLeft -= characters
    work += added
    if (!worst || added > worst.work) worst = { position, work: added }
  }
  if (work <= maxEstimateFactor * maxWork || !worst) return []
  const factor = (work / maxWork).toFixed(1)
  const { position } = worst
  return [
    forbiddenField(
      `${position.path}${position.rule}`,
      `validating an object could take ${factor} times the work that is allowed (${maxWork} units, --max-validation-work), and at most ${maxEstimateFactor} times are tolerated: simplify it, or set maxLength, maxItems and maxProperties here and above`,
    ),
  ]
}

interface Multiplicity {
  /** How many values of this schema an object can have. */
  readonly count: number
  /** The minimum length of one of them, in characters. */
  readonly shortest: number
}

function collect(schema: SchemaNode, path: string, { count, shortest }: Multiplicity, positions: Position[]): void {
  const own = costOf(schema, shortest)
  positions.push({ path, rule: own.rule, density: own.density, cap: count * own.cap })
  const items = itemSchema(schema)
  if (items)
    collect(
      items,
      `${path}.items`,
      { count: count * (schema.maxItems ?? Number.POSITIVE_INFINITY), shortest: minItemCharacters },
      positions,
    )
  const values = valueSchema(schema)
  if (values)
    collect(
      values,
      `${path}.additionalProperties`,
      { count: count * (schema.maxProperties ?? Number.POSITIVE_INFINITY), shortest: minEntryCharacters },
      positions,
    )
  for (const [name, field] of schema.properties)
    collect(field, `${path}.properties[${name}]`, { count, shortest: minEntryCharacters + name.length }, positions)
}

interface Cost {
  readonly rule: string
  readonly density: number
  /** Of one value. */
  readonly cap: number
}

/** The cost of one value, including all branches that it is checked against. */
function costOf(schema: SchemaNode, shortest: number): Cost {
  const { pattern, maxLength, required, enum: values } = schema
  const size = pattern === '' ? 0 : patternSize(pattern)
  const hasObjects = values?.some(value => typeof value === 'object' && value !== null) ?? false
  const ofValue =
    costs.visit + checksOfValue + required.length + (schema.embeddedResource ? costs.embeddedObject + costs.error : 0)
  const ofFormat = formatCheck(schema.format) ? costs.formatCharacter : 0
  const hasKeys = schema.listType === 'set' || schema.listType === 'map'
  const perCharacter = size + ofFormat + (hasObjects || hasKeys ? costs.canonicalCharacter : 0) + 1
  // A character outside the basic plane is two units of a string.
  const characters = maxLength === undefined ? Number.POSITIVE_INFINITY : 2 * maxLength + 2
  let density = ofValue / shortest + perCharacter
  let cap = ofValue + perCharacter * (schema.type === 'string' || size > 0 ? characters : shortest)
  if (schema.type === 'object' || schema.type === 'array') cap = ofValue
  let worst = { rule: size > 0 ? '.pattern' : '', density }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    let ofBranches = 0
    for (const branch of schema[key]) {
      const cost = costOfBranch(branch, shortest)
      ofBranches += cost.density
      cap += cost.cap
    }
    density += ofBranches
    if (ofBranches > worst.density) worst = { rule: `.${key}`, density: ofBranches }
  }
  if (schema.not) {
    const cost = costOfBranch(schema.not, shortest)
    density += cost.density
    cap += cost.cap
    if (cost.density > worst.density) worst = { rule: '.not', density: cost.density }
  }
  return { rule: worst.rule, density, cap }
}

/**
 * The same for a branch and its contents, which read the same characters once more. Failing costs more than matching.
 */
function costOfBranch(branch: SchemaNode, shortest: number): { density: number; cap: number } {
  const own = costOf(branch, shortest)
  const ofError = costs.error + (branch.enum?.reduce<number>((length, value) => length + shownLength(value), 0) ?? 0)
  let density = own.density + (ofError + branch.required.length * costs.error) / shortest
  let cap =
    branch.items || branch.pattern !== ''
      ? Number.POSITIVE_INFINITY
      : own.cap + ofError + branch.required.length * costs.error
  let inside = 0
  const items = itemSchema(branch)
  if (items) inside = costOfBranch(items, minItemCharacters).density
  for (const [name, field] of branch.properties) {
    const cost = costOfBranch(field, minEntryCharacters + name.length)
    inside = Math.max(inside, cost.density)
    cap += cost.cap
  }
  density += inside
  return { density, cap }
}

const shownLength = (value: unknown): number => (typeof value === 'string' ? value.length : 8) + 4

/** Rejects patterns that are too large to compile, and charges for the compilation of all others. */
export function validatePatternSizes(schema: SchemaNode, path: string, work: Work): FieldError | undefined {
  work.charge(costs.compiledField, path)
  if (schema.pattern !== '') {
    const size = patternSize(schema.pattern)
    if (size > maxPatternSize)
      return forbiddenField(
        `${path}.pattern`,
        `the pattern has more than ${maxPatternSize} instructions, counting every repetition: simplify it`,
      )
    work.charge(compileCost(schema.pattern, size), `${path}.pattern`)
  }
  for (const [step, part] of partsOf(schema)) {
    const found = validatePatternSizes(part, `${path}.${step}`, work)
    if (found) return found
  }
  return undefined
}

function* partsOf(schema: SchemaNode): Generator<readonly [string, SchemaNode]> {
  for (const [name, field] of schema.properties) yield [`properties[${name}]`, field]
  const items = itemSchema(schema)
  if (items) yield ['items', items]
  const values = valueSchema(schema)
  if (values) yield ['additionalProperties', values]
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const [index, part] of schema[key].entries()) yield [`${key}[${index}]`, part]
  if (schema.not) yield ['not', schema.not]
}

/** An error if schemas nest too deep. Walks level by level, so that a deep schema cannot exhaust the stack. */
export function validateDepth(source: JsonSchema, path: string): FieldError | undefined {
  let level: unknown[] = [source]
  // Every second level is the map or list that holds the schemas.
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 2 * maxDepth) return forbiddenField(path, `schemas may nest at most ${maxDepth} levels deep`)
    level = level.flatMap(value => (isRecord(value) || Array.isArray(value) ? Object.values(value) : []))
  }
  return undefined
}

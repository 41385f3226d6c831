import { badRequest } from 'orch/sdk'
import { isOutOfRange } from 'orch/sdk/client'
import { pathTo, scanJson } from './scan-json.js'
import type { StructNode, TypeNode, WireFormNodes } from './type-model.js'

/** The type at a position in a body: a node, or, in a body that is not an object of the type, a function that finds the node. */
type SchemaPosition = TypeNode | ((step: string | number) => SchemaPosition | undefined)

/**
 * A number with a fraction or an exponent, or text that looks like one: rare, and cheap to search for. The blanks are those of JSON:
 * all that `\s` stands for would take half as long again (`npm run bench:compare -- --only update-c16`).
 */
const mayBeInexact = /[[:, \n\r\t]-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)[ \n\r\t]*[,\]}]/
const integers = new Set(['int32', 'int64', 'intOrString'])
const longestShown = 40
const longestPlace = 200
const placeName = (open: Parameters<typeof pathTo>[0]) => pathTo(open).slice(0, longestPlace)

export interface NonIntegerRules {
  /** Strategic merge patches, applied configurations and custom resources are read as free values first, where `1.0` and `1e2` are whole. */
  readonly takesWhole?: boolean
  /** The error; by default the body is a bad request. */
  readonly refuse?: (why: string) => Error
}

/**
 * Rejects numbers that JSON.parse would round: `1e-999999999` is not 0, `1e400` is out of range, and `1.0` is not an integer
 * in this API. Those in YAML are rejected when it is parsed.
 */
export function rejectNonIntegers(
  text: string,
  typeName: string,
  root: () => SchemaPosition,
  { takesWhole = false, refuse = badRequest }: NonIntegerRules = {},
): void {
  if (!mayBeInexact.test(text)) return
  scanJson<SchemaPosition>(text, {
    begin: parent => (parent ? placeWithin(parent) : root()),
    fraction(literal, open) {
      const value = Number(literal)
      const shown = literal.slice(0, longestShown)
      if (isOutOfRange(literal, value)) throw badRequest(`the number ${shown} at ${placeName(open)} is out of range`)
      const parent = open.at(-1)
      const place = parent && placeWithin(parent)
      if (typeof place !== 'object' || place.is !== 'scalar' || !integers.has(place.scalar)) return
      if (takesWhole && isWhole(literal, value)) return
      const expected = place.scalar === 'int64' ? 'int64' : 'int32'
      throw refuse(
        `json: cannot unmarshal number ${shown} into Go struct field ${typeName}.${placeName(open)} of type ${expected}`,
      )
    },
  })
}

/** Whole as it is written: a fraction that is too small to be represented counts. */
const isWhole = (literal: string, value: number): boolean =>
  Number.isSafeInteger(value) && literal.length <= longestShown

function placeWithin(parent: {
  isList: boolean
  index: number
  key: string
  note: SchemaPosition | undefined
}): SchemaPosition | undefined {
  return step(parent.note, parent.isList ? parent.index : parent.key)
}

function step(place: SchemaPosition | undefined, by: string | number): SchemaPosition | undefined {
  if (typeof place === 'function') return place(by)
  switch (place?.is) {
    case 'struct':
      return place.fields.get(String(by))?.node
    case 'list':
      return place.item
    case 'map':
      return place.value
    case 'scalar':
      return place.forms && stepIntoForm(place.forms, by)
    default:
      return undefined
  }
}

/** A value of several forms is an object or a list. */
const stepIntoForm = ({ object, list }: WireFormNodes, by: string | number): SchemaPosition | undefined =>
  typeof by === 'number' ? list?.node : step(object.node, by)

/** The schema positions of the values of a JSON patch. */
export function placesOfPatch(patch: unknown, model: StructNode): SchemaPosition {
  return index => field => {
    const operation = Array.isArray(patch) ? (patch[index as number] as { path?: unknown } | null) : undefined
    if (field !== 'value' || typeof operation?.path !== 'string') return undefined
    let place: SchemaPosition | undefined = model
    for (const token of operation.path.split('/').slice(1)) {
      if (!place) break
      place = step(place, token.replaceAll('~1', '/').replaceAll('~0', '~'))
    }
    return place
  }
}

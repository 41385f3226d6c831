import { type ApiError, badRequest, tooLarge } from 'orch/sdk'

/** Items of lists and entries of maps that one object may have in total, by default. */
export const maxObjectItems = 200_000

/** The error for an object with more. */
export const tooManyItems = (maxItems: number, where = 'the body of the request'): ApiError =>
  tooLarge(`${where}: lists and maps of an object may have at most ${maxItems} items in total`)

/** The nesting depth of lists and objects that the reference accepts. */
export const maxJsonDepth = 10_000

/** The nesting depth of lists, maps and structs. Only types that contain themselves can nest deeper, and decoding is recursive. */
const maxDepth = 1_200

/** The position of the decoder, and where it reports unknown fields. One per call, so that decoders share nothing. */
export class DecodeContext {
  readonly #rootName: string
  readonly #path: string[] = []
  readonly report: DecodeReport | undefined
  readonly asIs: unknown
  #items = 0

  constructor(rootName: string, report: DecodeReport | undefined) {
    this.#rootName = rootName
    this.report = report
    this.asIs = report?.asIs
  }

  enter(step: string): void {
    if (this.#path.push(step) > maxDepth)
      throw badRequest(`${this.#rootName}: lists and objects may nest at most ${maxDepth} levels deep`)
  }

  leave(): void {
    this.#path.pop()
  }

  /** `spec.volumes[0].name`, for a field of the struct being decoded. */
  pathOf(field: string): string {
    let path = ''
    for (const step of this.#path) path = joined(path, step)
    return joined(path, field)
  }

  /** Counts the items of a list or map that is about to be decoded. */
  countItems(items: number, field: string): void {
    this.#items += items
    const limit = this.report?.maxItems
    if (limit !== undefined && this.#items > limit) throw tooManyItems(limit, `${this.#rootName}.${this.pathOf(field)}`)
  }

  /** Are unknown fields reported? */
  get reportsUnknown(): boolean {
    return this.report?.unknownField !== undefined
  }
  unknownField(field: string): void {
    this.report?.unknownField?.(this.pathOf(field))
  }

  /** A value of the wrong type. */
  mismatch(field: string, value: unknown, expected: string): ApiError {
    const path = this.pathOf(field)
    const where =
      path === '' ? `Go value of type ${expected}` : `Go struct field ${this.#rootName}.${path} of type ${expected}`
    return badRequest(`json: cannot unmarshal ${describe(value)} into ${where}`)
  }

  /** A value of the right type that cannot be parsed. */
  unreadable(field: string, why: string): ApiError {
    return badRequest(`${this.#rootName}.${this.pathOf(field)}: ${why}`)
  }
}

export interface DecodeReport {
  /** Items of lists and maps that the object may have in total. No limit for objects that were counted when they were read. */
  readonly maxItems?: number | undefined
  /** Called with the path of every field that the schema does not have. Without it, unknown fields are not looked for. */
  unknownField?(path: string): void
  /** A list or object that is taken as it is, without a copy: it is canonical, and nobody will change it. */
  readonly asIs?: unknown
}

const joined = (path: string, step: string): string =>
  path === '' || step === '' || step.startsWith('[') ? path + step : `${path}.${step}`

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`
  return typeof value
}

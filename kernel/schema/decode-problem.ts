import { type ApiError, badRequest } from 'orch/sdk'

/** Where the decoder is, and whom it tells about fields it does not know. One per call, so that decoders share nothing. */
export class DecodeContext {
  readonly #rootName: string
  readonly #path: string[] = []
  readonly report: DecodeReport | undefined

  constructor(rootName: string, report: DecodeReport | undefined) {
    this.#rootName = rootName
    this.report = report
  }

  enter(step: string): void {
    this.#path.push(step)
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

  unknownField(field: string): void {
    this.report?.unknownField(this.pathOf(field))
  }

  /** A value of the wrong type. */
  mismatch(field: string, value: unknown, expected: string): ApiError {
    const path = this.pathOf(field)
    const where =
      path === '' ? `Go value of type ${expected}` : `Go struct field ${this.#rootName}.${path} of type ${expected}`
    return badRequest(`json: cannot unmarshal ${describe(value)} into ${where}`)
  }

  /** A value of the right type that means nothing there. */
  unreadable(field: string, why: string): ApiError {
    return badRequest(`${this.#rootName}.${this.pathOf(field)}: ${why}`)
  }
}

export interface DecodeReport {
  /** Called with the path of every field that the schema does not have. */
  unknownField(path: string): void
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

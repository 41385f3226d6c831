import { type ApiObject, isRecord } from 'orch/sdk'
import type { RecordedChange, RecordedRequest } from 'orch/sdk/server'

/** Lines of a recording are JSON objects with their kind in `record`. */
export interface HeadLine {
  readonly record: 'head'
  readonly format: 1
  readonly vendor: string
  readonly startedAt: number
  /** Counts the parts, from 1. */
  readonly part: number
}
export type RequestLine = RecordedRequest & { readonly record: 'request' }
export type ChangeLine = Omit<RecordedChange, 'object' | 'previous'> & {
  readonly record: 'change'
  readonly object?: ApiObject
  /** The state before it, unless an earlier line of the same part contains it. */
  readonly previous?: ApiObject
}
export type RecordLine = HeadLine | RequestLine | ChangeLine

/** A larger object is omitted, which the line says instead. */
const maxObjectBytes = 256 * 1024
/** A message may list every error of a large object. */
const longestMessage = 8192
const tooLarge = 'too large to be recorded'

/** Only rejected requests are recorded with their body; otherwise the object shows it. */
export function requestLine({ sent, message, ...request }: RecordedRequest): string {
  const line = {
    record: 'request',
    ...request,
    ...(message === undefined ? {} : { message: message.slice(0, longestMessage) }),
  }
  if (request.code < 400 || sent === undefined) return text(line)
  const shown = isRecord(sent) && isRecord(sent['metadata']) ? withoutManagers(sent as ApiObject) : sent
  return bounded({ ...line, sent: shown }, { ...line, sent: tooLarge })
}

export function changeLine(change: RecordedChange, isFirst: boolean): string {
  const { object, previous, ...facts } = change
  const line = { record: 'change', ...facts }
  const before = isFirst ? previous() : undefined
  return bounded(
    { ...line, object: withoutManagers(object()), ...(before ? { previous: withoutManagers(before) } : {}) },
    { ...line, omitted: tooLarge },
  )
}

export const headLine = (head: Omit<HeadLine, 'record' | 'format'>): string =>
  text({ record: 'head', format: 1, ...head } satisfies HeadLine)

const text = (line: object): string => `${JSON.stringify(line)}\n`

function bounded(line: object, without: object): string {
  const whole = text(line)
  return whole.length > maxObjectBytes ? text(without) : whole
}

/** Managed fields are long, and not part of the state. */
function withoutManagers({ metadata: { managedFields: _, ...metadata }, ...rest }: ApiObject): object {
  return { metadata, ...rest }
}

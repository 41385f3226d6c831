import type { CommittedEvent, Version } from './version.js'

/**
 * The outcome of a request: `ok` was acknowledged; `refused` certainly changed nothing; `unknown` may have happened, may
 * still happen, or may never happen.
 */
export type Outcome = 'ok' | 'refused' | 'unknown'

interface Timed {
  readonly client: string
  readonly outcome: Outcome
  /** Milliseconds of one monotonic clock, just before the request and just after its answer. */
  readonly start: number
  readonly end: number
}

export type WriteKind = 'create' | 'update' | 'apply' | 'patch' | 'delete'
/** Why a write or a read of one key was refused, if the reason implies the state of the key. */
export type Refusal = 'exists' | 'absent' | 'conflict'

export interface WriteOperation extends Timed {
  readonly kind: WriteKind
  readonly key: string
  /** Undefined for a deletion. */
  readonly value?: string | undefined
  /** The revision that the key had to have. */
  readonly expect?: number | undefined
  /** Of an acknowledged write; deletions do not return it. */
  readonly revision?: number | undefined
  /** Of an acknowledged write. */
  readonly uid?: string | undefined
  readonly refusal?: Refusal | undefined
}

export interface GetOperation extends Timed {
  readonly kind: 'get'
  readonly key: string
  readonly found?: Version | undefined
  readonly refusal?: Refusal | undefined
}

/** `exact` is a list at a revision of the past, `pages` one in several requests. */
export type ListKind = 'list' | 'pages' | 'exact'
export interface ListOperation extends Timed {
  readonly kind: ListKind
  readonly revision: number
  /** In the order of the answer. */
  readonly items: readonly Version[]
  /** False if a later page is missing. */
  readonly isWhole: boolean
}

export type Operation = WriteOperation | GetOperation | ListOperation
export const isWrite = (operation: Operation): operation is WriteOperation => !isGet(operation) && !isList(operation)
export const isGet = (operation: Operation): operation is GetOperation => operation.kind === 'get'
export const isList = (operation: Operation): operation is ListOperation =>
  operation.kind === 'list' || operation.kind === 'pages' || operation.kind === 'exact'

/** What one watch saw, over all its connections: every event after `from` up to `through`. */
export interface WatchSegment {
  readonly watcher: string
  /** The only key it watches; all of them when undefined. */
  readonly key?: string | undefined
  readonly from: number
  readonly through: number
  readonly events: readonly CommittedEvent[]
}

const seconds = (time: number): string => (time / 1000).toFixed(3)

export function operationText(operation: Operation): string {
  const { kind, client, outcome, start, end } = operation
  const when = `from ${seconds(start)} to ${seconds(end)} s`
  if (isList(operation)) return `${kind} by ${client} ${when}: ${outcome} at ${operation.revision}`
  const { key } = operation
  if (isGet(operation)) {
    const found = operation.found
    return `get of ${key} by ${client} ${when}: ${found ? `${found.value} at ${found.revision}` : 'not found'}`
  }
  const what = operation.value === undefined ? key : `${key} = ${operation.value}`
  const guard = operation.expect === undefined ? '' : ` if at ${operation.expect}`
  const told = operation.revision === undefined ? outcome : `${outcome} at ${operation.revision}`
  return `${kind} ${what}${guard} by ${client} ${when}: ${operation.refusal ?? told}`
}

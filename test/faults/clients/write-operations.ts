import type { Refusal, WriteKind, WriteOperation } from '../checker/operation.js'
import type { History } from './history.js'
import type { Answer, Request } from './send-request.js'
import { versionOf, type WrittenObject, type WrittenType } from './written-objects.js'

/** What is to be written; a deletion has no value. */
export interface Intent {
  readonly kind: WriteKind
  readonly key: string
  readonly value?: string | undefined
  readonly expect?: number | undefined
}

/** Sends one write and records its outcome. Returns true if it was acknowledged. */
export async function performWrite(
  client: string,
  intent: Intent,
  send: (request: Request) => Promise<Answer>,
  history: History,
): Promise<WriteOperation> {
  const { type } = history
  const start = history.now()
  const answer = await send(requestFor(type, client, intent))
  const end = history.now()
  const operation: WriteOperation = { ...intent, client, start, end, ...outcomeOf(type, intent, answer) }
  history.record(operation)
  if (operation.outcome === 'ok' && operation.value !== undefined) {
    const { key, value, revision = 0, uid = '' } = operation
    history.learn({ key, value, revision, uid })
  }
  return operation
}

function requestFor(type: WrittenType, client: string, { kind, key, value = '', expect }: Intent): Request {
  const { collectionPath } = type
  const path = `${collectionPath}/${key}`
  switch (kind) {
    case 'create':
      return { method: 'POST', path: collectionPath, body: type.make(key, value) }
    case 'update':
      return { method: 'PUT', path, body: type.make(key, value, expect) }
    case 'apply':
      return {
        method: 'PATCH',
        path: `${path}?fieldManager=${client}&force=true`,
        contentType: 'application/apply-patch+yaml',
        body: type.make(key, value),
      }
    case 'patch':
      return {
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        body: type.make(key, value, expect),
      }
    case 'delete':
      return {
        method: 'DELETE',
        path,
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          ...(expect === undefined ? {} : { preconditions: { resourceVersion: String(expect) } }),
        },
      }
  }
}

type Result = Pick<WriteOperation, 'outcome' | 'revision' | 'uid' | 'refusal'>

function outcomeOf(type: WrittenType, { kind }: Intent, answer: Answer): Result {
  if (answer.is === 'unsent') return { outcome: 'refused' }
  if (answer.is === 'lost' || answer.status >= 500) return { outcome: 'unknown' }
  if (answer.status >= 400) return { outcome: 'refused', refusal: refusalOf(type, answer.body) }
  if (kind === 'delete') return { outcome: 'ok', uid: (answer.body as { details?: { uid?: string } }).details?.uid }
  const { revision, uid } = versionOf(type, answer.body as WrittenObject)
  return { outcome: 'ok', revision, uid }
}

const refusals: Readonly<Record<string, Refusal>> = {
  AlreadyExists: 'exists',
  NotFound: 'absent',
  Conflict: 'conflict',
}

/** Only an error about such an object implies the state of the key: a namespace may be not found as well. */
export function refusalOf(type: WrittenType, body: unknown): Refusal | undefined {
  const { reason = '', details } = body as { reason?: string; details?: { kind?: string } }
  return type.kind.test(details?.kind ?? '') ? refusals[reason] : undefined
}

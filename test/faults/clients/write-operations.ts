import type { Refusal, WriteKind, WriteOperation } from '../checker/operation.js'
import { type ConfigMap, collectionPath, configMap, objectPath, versionOf } from './config-maps.js'
import type { History } from './history.js'
import type { Answer, Request } from './send-request.js'

/** What is to be written; a deletion has no value. */
export interface Intent {
  readonly kind: WriteKind
  readonly key: string
  readonly value?: string | undefined
  readonly expect?: number | undefined
}

/** Sends one write and records what became of it. True when it was acknowledged. */
export async function performWrite(
  client: string,
  intent: Intent,
  send: (request: Request) => Promise<Answer>,
  history: History,
): Promise<WriteOperation> {
  const start = history.now()
  const answer = await send(requestFor(client, intent))
  const end = history.now()
  const operation: WriteOperation = { ...intent, client, start, end, ...outcomeOf(intent, answer) }
  history.record(operation)
  if (operation.outcome === 'ok' && operation.value !== undefined) {
    const { key, value, revision = 0, uid = '' } = operation
    history.learn({ key, value, revision, uid })
  }
  return operation
}

function requestFor(client: string, { kind, key, value = '', expect }: Intent): Request {
  const path = objectPath(key)
  switch (kind) {
    case 'create':
      return { method: 'POST', path: collectionPath, body: configMap(key, value) }
    case 'update':
      return { method: 'PUT', path, body: configMap(key, value, expect) }
    case 'apply':
      return {
        method: 'PATCH',
        path: `${path}?fieldManager=${client}&force=true`,
        contentType: 'application/apply-patch+yaml',
        body: configMap(key, value),
      }
    case 'patch':
      return {
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        body: configMap(key, value, expect),
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

function outcomeOf({ kind }: Intent, answer: Answer): Result {
  if (answer.is === 'unsent') return { outcome: 'refused' }
  if (answer.is === 'lost' || answer.status >= 500) return { outcome: 'unknown' }
  if (answer.status >= 400) return { outcome: 'refused', refusal: refusalOf(answer.body) }
  if (kind === 'delete') return { outcome: 'ok', uid: (answer.body as { details?: { uid?: string } }).details?.uid }
  const { revision, uid } = versionOf(answer.body as ConfigMap)
  return { outcome: 'ok', revision, uid }
}

const refusals: Readonly<Record<string, Refusal>> = {
  AlreadyExists: 'exists',
  NotFound: 'absent',
  Conflict: 'conflict',
}

/** Only an answer about a config map tells what the key was like: a namespace may be not found as well. */
export function refusalOf(body: unknown): Refusal | undefined {
  const { reason = '', details } = body as { reason?: string; details?: { kind?: string } }
  return /^configmaps?$/i.test(details?.kind ?? '') ? refusals[reason] : undefined
}

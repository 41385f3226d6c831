import type { ListKind, Outcome } from '../checker/operation.js'
import type { Version } from '../checker/version.js'
import type { History } from './history.js'
import type { Answer, Request } from './send-request.js'
import { refusalOf } from './write-operations.js'
import { isOurs, versionOf, type WrittenObject, type WrittenType } from './written-objects.js'

type Send = (request: Request) => Promise<Answer>

interface ListBody {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items: readonly WrittenObject[]
}

/** The maximum number of pages; more would be a server that never ends a list. */
const mostPages = 50

export async function performGet(client: string, key: string, send: Send, history: History): Promise<Outcome> {
  const { type } = history
  const start = history.now()
  const answer = await send({ method: 'GET', path: `${type.collectionPath}/${key}` })
  const timed = { kind: 'get', client, key, start, end: history.now() } as const
  if (answer.is !== 'answered' || answer.status >= 500) return history.record({ ...timed, outcome: 'unknown' })
  if (answer.status === 200) {
    const found = versionOf(type, answer.body as WrittenObject)
    history.learn(found)
    return history.record({ ...timed, outcome: 'ok', found })
  }
  // Not found is a regular response.
  const isAbsent = refusalOf(type, answer.body) === 'absent'
  return history.record({ ...timed, outcome: isAbsent ? 'ok' : 'refused' })
}

/** A list in one request, or with a limit in several, each through its own `send`: any server may continue a list. */
export async function performList(
  client: string,
  kind: ListKind,
  query: string,
  send: Send,
  history: History,
): Promise<Outcome> {
  const { type } = history
  const start = history.now()
  const first = await readPage(type, send, query)
  const end = history.now()
  const timed = { kind, client, start, end }
  if (typeof first === 'string')
    return history.record({ ...timed, outcome: first, revision: 0, items: [], isWhole: false })
  const revision = Number(first.metadata.resourceVersion)
  const items: Version[] = ours(type, first)
  let next = first.metadata.continue
  for (let page = 0; next !== undefined && next !== '' && page < mostPages; page++) {
    const more = await readPage(type, send, `${query}&continue=${next}`)
    if (typeof more === 'string') break
    // A page of another revision does not belong to this list: its items are kept, and the check finds the difference.
    items.push(...ours(type, more))
    next = more.metadata.continue
  }
  // The time of a list is that of its first page: the others have the same revision.
  return history.record({ ...timed, outcome: 'ok', revision, items, isWhole: next === undefined || next === '' })
}

async function readPage(type: WrittenType, send: Send, query: string): Promise<ListBody | 'refused' | 'unknown'> {
  const answer = await send({ method: 'GET', path: `${type.collectionPath}?${query}` })
  if (answer.is !== 'answered' || answer.status >= 500) return 'unknown'
  return answer.status === 200 ? (answer.body as ListBody) : 'refused'
}

const ours = (type: WrittenType, { items }: ListBody): Version[] =>
  items.map(item => versionOf(type, item)).filter(({ key }) => isOurs(key))

import assert from 'node:assert/strict'
import {
  bodyPrefix,
  CompactedError,
  type ListChunk,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoreEvent,
  type Write,
} from '../../host/storage.js'

/** A body whose name is the value that the cases compare. */
export const bodyFor = (value: string): Buffer => Buffer.from(`${bodyPrefix}"name":${JSON.stringify(value)}}}`)

/** To an engine attributes are bytes like any other. */
export const attributesFor = (content: object): Buffer =>
  Object.keys(content).length === 0 ? Buffer.alloc(0) : Buffer.from(JSON.stringify(content))

/** Writes and expects success. */
export async function committed(store: Store, write: Write): Promise<Revision> {
  const result = await store.write(write)
  if (!result.ok) assert.fail(`the write to ${write.key} failed its precondition`)
  return result.revision
}

interface NamedBody {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
}
const parse = (body: string): NamedBody => JSON.parse(body) as NamedBody

/** `value@revision` of each event. */
export const objectsOf = (events: readonly StoreEvent[]): string[] =>
  events.map(({ body }) => {
    const { name, resourceVersion } = parse(String(body)).metadata
    return `${name}@${resourceVersion}`
  })

const namesOf = ({ joined }: ListChunk): string[] =>
  (JSON.parse(`[${joined}]`) as NamedBody[]).map(({ metadata }) => metadata.name)

/** The values of a whole list. */
export async function listAll(
  store: Store,
  prefix: string,
  revision?: Revision,
  filter?: (attributes: Buffer) => boolean,
): Promise<string[]> {
  const names: string[] = []
  const page = await store.list({ prefix, revision, filter })
  for await (const chunk of page.items) names.push(...namesOf(chunk))
  return names
}

export interface NamedPage {
  readonly names: string[]
  readonly more: boolean
  readonly remaining: number | undefined
}

/** Follows a list page by page, all at the revision of the first, and calls `between` after each page. */
export async function pagesOf(store: Store, request: ListRequest, between?: () => Promise<void>): Promise<NamedPage[]> {
  const pages: NamedPage[] = []
  let { after, revision } = request
  for (;;) {
    const page = await store.list({ ...request, after, revision })
    revision = page.revision
    const names: string[] = []
    let last: ListChunk | undefined
    for await (const chunk of page.items) {
      names.push(...namesOf(chunk))
      last = chunk
    }
    pages.push({ names, more: last?.more ?? false, remaining: last?.remaining })
    if (!last?.more) return pages
    after = last.lastKey
    await between?.()
  }
}

/** Cases by title. `store` is empty; `open` gives others. */
export type ContractCases = Readonly<Record<string, (store: Store, open: OpenStore) => Promise<void>>>
/** Opens an empty store; with a place, the store that was left there. */
export type OpenStore = (place?: string) => Promise<Store>

export const create = (store: Store, key: string, value = key): Promise<Revision> =>
  committed(store, { key, body: bodyFor(value), expect: 0 })
export const update = (store: Store, key: string, value: string): Promise<Revision> =>
  committed(store, { key, body: bodyFor(value) })
export const remove = (store: Store, key: string): Promise<Revision> => committed(store, { key, body: undefined })

export async function eventsOf(
  store: Store,
  prefix: string,
  from: Revision,
  to = Number.MAX_SAFE_INTEGER,
): Promise<StoreEvent[]> {
  const events: StoreEvent[] = []
  for await (const event of store.history(prefix, from, to)) events.push(event)
  return events
}
export const summary = ({ revision, type, key }: StoreEvent): string => `${revision} ${type} ${key}`

export const isCompacted = (error: unknown): boolean => error instanceof CompactedError
export const isKind =
  (kind: StorageError['kind']) =>
  (error: unknown): boolean =>
    error instanceof StorageError && error.kind === kind

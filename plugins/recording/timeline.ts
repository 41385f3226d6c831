import type { ApiObject } from 'orch/sdk'
import { changedFields, type FieldChange } from './changed-fields.js'
import type { Recording } from './read-recording.js'
import type { ChangeLine, RequestLine } from './record-lines.js'

/** A request, and how often it was repeated in a row with the same response. */
export interface RequestEntry extends Omit<RequestLine, 'record'> {
  readonly what: 'request'
  times: number
}
/** A change of the object. `by` is the user, if only one request can have caused it. */
export interface ChangeEntry {
  readonly what: 'created' | 'changed' | 'deleted'
  readonly at: number
  readonly revision: number
  readonly by?: string
  readonly fields: readonly FieldChange[]
  readonly object?: ApiObject
}
/** An Event about the object. */
export interface EventEntry {
  readonly what: 'event'
  readonly at: number
  readonly by: string
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly count: number
}
export type Entry = RequestEntry | ChangeEntry | EventEntry

/** The history of one object. */
export interface Timeline {
  readonly group: string
  readonly resource: string
  kind: string
  readonly namespace: string
  readonly name: string
  readonly entries: Entry[]
}
export interface Timelines {
  readonly objects: readonly Timeline[]
  /** Requests about collections, and about no resource at all. */
  readonly others: readonly RequestEntry[]
}

/** The users behind the entries of a timeline. */
export const userOf = (entry: Entry): string | undefined => (entry.what === 'request' ? entry.user : entry.by)

const eventsResource = 'events'
const readVerbs = new Set(['get', 'list', 'watch'])
const whatHappened = { create: 'created', update: 'changed', delete: 'deleted' } as const

interface ObjectPath {
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}
const keyOf = ({ group, resource, namespace, name }: ObjectPath) => `${group}/${resource}/${namespace}/${name}`

/** Groups the entries of a recording by object. */
export function timelinesOf({ requests, changes }: Recording): Timelines {
  const timelines = new Map<string, Timeline>()
  const timelineOf = ({ group, resource, namespace, name }: ObjectPath): Timeline => {
    const key = keyOf({ group, resource, namespace, name })
    const known = timelines.get(key) ?? { group, resource, kind: '', namespace, name, entries: [] }
    timelines.set(key, known)
    return known
  }
  const others: RequestEntry[] = []
  const writes = new Map<string, RequestLine[]>()
  for (const request of requests) {
    const { record: _, ...told } = request
    const entry: RequestEntry = { what: 'request', ...told, times: 1 }
    if (!request.object || request.object.name === '') others.push(entry)
    // The Event is shown with the object that it is about.
    else if (request.object.resource === eventsResource && request.code < 400) continue
    else timelineOf(request.object).entries.push(entry)
    if (!request.object || readVerbs.has(request.verb) || request.code >= 400) continue
    const key = keyOf(request.object)
    writes.set(key, [...(writes.get(key) ?? []), request])
  }
  const resources = new Map(changes.map(({ group, kind, resource }) => [`${group}/${kind}`, resource]))
  const states = new Map<string, ApiObject | undefined>()
  for (const change of changes) {
    const event = eventOf(change, resources)
    if (event) {
      timelineOf(event.about).entries.push(event.entry)
      continue
    }
    const key = keyOf(change)
    const timeline = timelineOf(change)
    timeline.kind ||= change.kind
    timeline.entries.push(changeEntry(change, change.previous ?? states.get(key), writes))
    states.set(key, change.type === 'delete' ? undefined : change.object)
  }
  const objects = [...timelines.values()].map(timeline => ({ ...timeline, entries: joinRepeats(timeline.entries) }))
  return { objects, others: joinRepeats(others) }
}

function changeEntry(
  change: ChangeLine,
  before: ApiObject | undefined,
  writes: ReadonlyMap<string, readonly RequestLine[]>,
): ChangeEntry {
  const { type, at, revision, object } = change
  const own = writes.get(keyOf(change)) ?? []
  const ofCollection = type === 'delete' ? (writes.get(keyOf({ ...change, name: '' })) ?? []) : []
  const possible = [...own, ...ofCollection].filter(
    request => request.at <= at && at <= request.at + request.durationMs,
  )
  const users = new Set(possible.map(({ user }) => user))
  const [by] = users
  return {
    what: whatHappened[type],
    at,
    revision,
    ...(users.size === 1 && by !== undefined ? { by } : {}),
    fields: type === 'update' && before && object ? changedFields(before, object) : [],
    ...(object === undefined ? {} : { object }),
  }
}

interface Reference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
}
interface StoredEvent extends ApiObject {
  readonly involvedObject?: Reference
  readonly regarding?: Reference
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly note?: string
  readonly count?: number
  readonly reportingComponent?: string
  readonly source?: { readonly component?: string }
}

/** Events are shown with the object that they are about. */
function eventOf(
  { type, at, resource, object }: ChangeLine,
  resources: ReadonlyMap<string, string>,
): { about: ObjectPath; entry: EventEntry } | undefined {
  if (resource !== eventsResource || type === 'delete' || !object) return undefined
  const event: StoredEvent = object
  const about = event.involvedObject ?? event.regarding
  if (!about?.kind || !about.name) return undefined
  const [version = '', ...rest] = (about.apiVersion ?? '').split('/').reverse()
  const group = version === '' ? '' : rest.join('/')
  const place = {
    group,
    resource: resources.get(`${group}/${about.kind}`) ?? about.kind,
    namespace: about.namespace ?? '',
    name: about.name,
  }
  const entry: EventEntry = {
    what: 'event',
    at,
    by: event.reportingComponent || event.source?.component || '',
    type: event.type ?? '',
    reason: event.reason ?? '',
    message: event.message ?? event.note ?? '',
    count: event.count ?? 1,
  }
  return { about: place, entry }
}

function joinRepeats<E extends Entry>(entries: readonly E[]): E[] {
  const joined: E[] = []
  for (const entry of [...entries].sort((one, other) => one.at - other.at)) {
    const last = joined.at(-1)
    if (last?.what === 'request' && entry.what === 'request' && isRepeat(last, entry)) last.times++
    else joined.push(entry)
  }
  return joined
}
const isRepeat = (last: RequestEntry, next: RequestEntry): boolean =>
  readVerbs.has(next.verb) &&
  last.verb === next.verb &&
  last.uri === next.uri &&
  last.code === next.code &&
  last.user === next.user

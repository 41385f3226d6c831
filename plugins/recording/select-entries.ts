import { isDuration, parseDuration } from 'orch/sdk'
import type { Recording } from './read-recording.js'
import { type Entry, type RequestEntry, type Timeline, type Timelines, userOf } from './timeline.js'

/** The filters of `orch replay`. */
export interface Selection {
  /** `configmaps`, `ConfigMap/one`, `widgets.example.com/a`. */
  readonly object?: string | undefined
  readonly namespace?: string | undefined
  readonly user?: string | undefined
  /** A time as RFC 3339, or a duration since the start of the recording. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Whether to include objects that only the server itself has written. */
  readonly all?: boolean | undefined
}
export interface SelectedTimelines extends Timelines {
  /** The number of objects omitted because only the server itself has written them. */
  readonly leftOut: number
}

/** The user of requests of the server to itself. */
const serverUser = 'system:apiserver'

export class SelectionError extends Error {}

/** The requested timelines. */
export function select(recording: Recording, { objects, others }: Timelines, selection: Selection): SelectedTimelines {
  const { startedAt } = recording
  const since = momentOf('--since', selection.since, startedAt) ?? Number.NEGATIVE_INFINITY
  const until = momentOf('--until', selection.until, startedAt) ?? Number.POSITIVE_INFINITY
  const isWanted = objectMatcher(selection)
  const ofUser = (entry: Entry) => selection.user === undefined || userOf(entry) === selection.user
  const inTime = ({ at }: Entry) => at >= since && at <= until
  const found = objects
    .filter(isWanted)
    .map(timeline => ({ ...timeline, entries: timeline.entries.filter(entry => inTime(entry) && ofUser(entry)) }))
    .filter(({ entries }) => entries.length > 0)
  const asked = selection.all || selection.object !== undefined || selection.user !== undefined
  const shown = asked ? found : found.filter(({ entries }) => !entries.every(isOfServer))
  const first = ({ entries }: Timeline) => entries[0]?.at ?? 0
  return {
    objects: shown.sort((one, other) => first(one) - first(other)),
    others: others.filter(
      entry => inTime(entry) && ofUser(entry) && isWantedToo(entry, selection) && (asked || !isOfServer(entry)),
    ),
    leftOut: found.length - shown.length,
  }
}

const isOfServer = (entry: Entry): boolean => entry.what !== 'event' && (userOf(entry) ?? serverUser) === serverUser

type Matcher = (place: Pick<Timeline, 'group' | 'kind' | 'resource' | 'namespace' | 'name'>) => boolean

function objectMatcher({ object, namespace }: Selection): Matcher {
  const [type = '', name] = object?.split('/') ?? []
  const dot = type.indexOf('.')
  const kind = (dot < 0 ? type : type.slice(0, dot)).toLowerCase()
  const group = dot < 0 ? undefined : type.slice(dot + 1)
  return place =>
    (namespace === undefined || place.namespace === namespace) &&
    (object === undefined ||
      ((place.resource.toLowerCase() === kind || place.kind.toLowerCase() === kind) &&
        (group === undefined || place.group === group) &&
        (name === undefined || place.name === name)))
}

/** Requests about a collection belong to its type. */
function isWantedToo({ object }: RequestEntry, selection: Selection): boolean {
  if (selection.object === undefined && selection.namespace === undefined) return true
  if (!object) return false
  return objectMatcher(selection)({ ...object, kind: '' })
}

function momentOf(flag: string, text: string | undefined, startedAt: number): number | undefined {
  if (text === undefined) return undefined
  if (isDuration(text)) return startedAt + parseDuration(text)
  const at = Date.parse(text)
  if (Number.isNaN(at) || !/^\d{4}-\d\d-\d\dT/.test(text))
    throw new SelectionError(
      `${flag}=${text} is neither a time such as 2006-01-02T15:04:05Z nor a duration since the start such as 2.5s`,
    )
  return at
}

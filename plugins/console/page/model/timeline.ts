import type { Anything, ApiObject } from './api.js'
import { eventTime } from './warnings.js'

/** The timeline of an object, from its events, conditions and managed fields. */

export interface Moment {
  readonly key: string
  /** In ms since the epoch. */
  readonly at: number
  readonly is: 'event' | 'condition' | 'write' | 'life'
  readonly tone: 'good' | 'warn' | 'bad' | ''
  readonly title: string
  readonly text: string
  readonly from: string
  readonly count: number
}

/** Newest first. */
export function timelineOf(object: ApiObject, events: readonly Anything[]): Moment[] {
  const { creationTimestamp, deletionTimestamp, managedFields = [] } = object.metadata
  const life = (key: string, time: string | undefined, title: string): Moment[] =>
    time === undefined ? [] : [{ ...nothing, key, at: Date.parse(time) || 0, is: 'life', title }]
  const conditions: Anything[] = Array.isArray(object['status']?.conditions) ? object['status'].conditions : []
  return [
    ...life('created', creationTimestamp, 'Created'),
    ...life('deleted', deletionTimestamp, 'Deletion requested'),
    ...managedFields.map((entry, at): Moment => {
      return {
        ...nothing,
        key: `write ${at}`,
        at: Date.parse(entry.time ?? '') || 0,
        is: 'write',
        title: `Last ${entry.operation === 'Apply' ? 'applied' : 'updated'} by ${entry.manager}${entry.subresource ? ` (${entry.subresource})` : ''}`,
      }
    }),
    ...conditions.map((each): Moment => {
      const { type, status, reason = '', message = '' } = each
      return {
        ...nothing,
        key: `condition ${type}`,
        at: Date.parse(each.lastTransitionTime ?? each.lastUpdateTime ?? '') || 0,
        is: 'condition',
        tone: status === 'True' ? 'good' : status === 'False' ? 'warn' : '',
        title: `${type}: ${status}`,
        text: [reason, message].filter(Boolean).join(': '),
      }
    }),
    ...events.map(
      (event): Moment => ({
        key: event.metadata.uid,
        at: eventTime(event),
        is: 'event',
        tone: event.type === 'Warning' ? 'bad' : '',
        title: String(event.reason ?? ''),
        text: String(event.message ?? event.note ?? ''),
        from: String(event.reportingComponent || event.source?.component || ''),
        count: event.count ?? 1,
      }),
    ),
  ].sort((left, right) => right.at - left.at)
}
const nothing = { tone: '', text: '', from: '', count: 1 } as const

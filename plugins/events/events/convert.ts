import type { Event as StoredEvent } from 'orch/sdk/core'
import type { Event } from './schema.js'

type Stored = StoredEvent & { apiVersion?: string; kind?: string }

/** Converts from the form of the core group, which is stored, to that of the events group. */
export function fromStored(event: Stored): Event {
  const { involvedObject, message, source, firstTimestamp, lastTimestamp, count, reportingComponent, ...same } = event
  const { metadata, eventTime, series, reportingInstance, action, reason, related, type } = same
  return withoutUnset({
    metadata,
    eventTime,
    series,
    reportingController: reportingComponent || undefined,
    reportingInstance: reportingInstance || undefined,
    action,
    reason,
    regarding: involvedObject,
    related,
    note: message,
    type,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
  }) as Event
}

/** Converts back. Fields that the core group always writes are set, even if they are empty. */
export function toStored(event: Event): Stored {
  const { metadata, eventTime, series, action, reason, related, type } = event
  return withoutUnset({
    metadata,
    involvedObject: event.regarding ?? {},
    reason,
    message: event.note,
    source: event.deprecatedSource ?? {},
    firstTimestamp: event.deprecatedFirstTimestamp ?? null,
    lastTimestamp: event.deprecatedLastTimestamp ?? null,
    count: event.deprecatedCount,
    type,
    eventTime: eventTime ?? null,
    series,
    action,
    related,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  }) as Stored
}

const withoutUnset = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

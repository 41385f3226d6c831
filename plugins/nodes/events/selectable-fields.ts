import type { Event } from 'orch/sdk'

const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const
const ofObject = (name: string) =>
  Object.fromEntries(parts.map(part => [`${name}.${part}`, ({ involvedObject }: Event) => involvedObject[part] ?? '']))
const reporter = ({ reportingComponent = '' }: Event) => reportingComponent

/**
 * Fields of events that field selectors may use, under the names of both groups: the objects are the same, and what can be
 * selected is kept beside them.
 */
export const selectableFields: Readonly<Record<string, (event: Event) => string>> = {
  ...ofObject('involvedObject'),
  ...ofObject('regarding'),
  reason: ({ reason = '' }) => reason,
  reportingComponent: reporter,
  reportingController: reporter,
  source: event => event.source?.component || reporter(event),
  type: ({ type = '' }) => type,
}

import { ageOf, type Column, defineResource, type Strategy, type StrategyContext } from 'orch/sdk'
import { Event } from 'orch/sdk/core'
import { nameIsPathSegment } from 'orch/sdk/validation'
import type { EventNames } from '../names.js'
import { fromStored, toStored } from './convert.js'
import { Event as EventV1 } from './schema.js'
import { Event as EventV1beta1 } from './schema-v1beta1.js'
import {
  type EventRules,
  reporterAsInVersion,
  updatesAreCompared,
  validateEvent,
  validateEventUpdate,
} from './validation.js'

const text = (name: string, description: string, cell: Column<Event>['cell'], priority = 0): Column<Event> => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
})

function about({ involvedObject }: Event): string {
  const kind = (involvedObject.kind ?? '').toLowerCase()
  return involvedObject.name ? `${kind}/${involvedObject.name}` : kind
}
const firstSeen = ({ firstTimestamp, eventTime }: Event) => firstTimestamp ?? eventTime
const lastSeen = (event: Event) => event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event)

/** Newer reporters do not use the source. */
function sourceText({ source, reportingComponent = '', reportingInstance = '' }: Event): string {
  const component = source?.component || reportingComponent
  const instance = source?.host || reportingInstance
  return instance ? `${component}, ${instance}` : component
}

export const columns: readonly Column<Event>[] = [
  text('Last Seen', 'When it last happened.', (event, now) => ageOf(lastSeen(event), now)),
  text('Type', 'Normal, or a warning.', ({ type = '' }) => type),
  text('Reason', 'Machine-readable reason in one word.', ({ reason = '' }) => reason),
  text('Object', 'The object of the event.', about),
  text('Subobject', 'The part of the object.', ({ involvedObject }) => involvedObject.fieldPath ?? '', 1),
  text('Source', 'The reporter of the event.', sourceText, 1),
  text('Message', 'What happened.', ({ message = '' }) => message.trim()),
  text('First Seen', 'When it first happened.', (event, now) => ageOf(firstSeen(event), now), 1),
  text('Count', 'How often it happened.', ({ series, count = 0 }) => (series ? (series.count ?? 0) : count || 1), 1),
  { ...text('Name', 'Name of the event.', ({ metadata }) => metadata?.name ?? '', 1), format: 'name' },
]

/** The core group accepts all events; version v1 of the events group accepts only complete new ones. */
function mainStrategy(names: EventNames, group: 'core' | 'events') {
  const rulesFor = ({ requestVersion, vendor }: StrategyContext): EventRules => ({
    isStrict: group === 'events' && requestVersion === 'v1',
    comparesUpdates: vendor.level.has(updatesAreCompared),
    systemNamespace: names.systemNamespace,
    reporterField:
      group === 'core' && vendor.level.has(reporterAsInVersion) ? 'reportingComponent' : 'reportingController',
  })
  return {
    validate: (event, context) => validateEvent(event, rulesFor(context)),
    validateUpdate: (sent, stored, context) => validateEventUpdate(sent, stored, rulesFor(context)),
    createOnUpdate: true,
    // The core group has no metadata checks of its own.
    metadataChecks: { change: group === 'core' ? 0 : 1, object: 0, ownNames: true },
  } satisfies Strategy<Event>
}

const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const
const reporter = ({ reportingComponent = '' }: Event) => reportingComponent

/** Fields of events of the core group that field selectors may use. */
const selectableInCore: Readonly<Record<string, (event: Event) => string>> = {
  ...Object.fromEntries(
    parts.map(part => [`involvedObject.${part}`, ({ involvedObject }: Event) => involvedObject[part] ?? '']),
  ),
  reason: ({ reason = '' }) => reason,
  reportingComponent: reporter,
  source: event => event.source?.component || reporter(event),
  type: ({ type = '' }) => type,
}
/** The same of the events group, which has other names for some of them. */
const selectable: Readonly<Record<string, (event: EventV1) => string>> = {
  ...Object.fromEntries(parts.map(part => [`regarding.${part}`, ({ regarding }: EventV1) => regarding?.[part] ?? ''])),
  reason: ({ reason = '' }) => reason,
  reportingController: ({ reportingController = '' }) => reportingController,
  type: ({ type = '' }) => type,
}
/** Both groups share the stored objects and their indexes, so what is stored has the names of both. */
const selectableFields: Readonly<Record<string, (event: Event) => string>> = {
  ...selectableInCore,
  ...Object.fromEntries(parts.map(part => [`regarding.${part}`, selectableInCore[`involvedObject.${part}`]!])),
  reportingController: reporter,
}

const shared = {
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  columns,
  selectableFields,
  validateName: nameIsPathSegment,
  deletion: { defaultPropagation: 'Never' },
} as const

/** Events of the core group; they are stored in this form. */
export const coreEvents = (names: EventNames) =>
  defineResource({
    ...shared,
    group: '',
    mayOwn: false,
    plainFinalizers: true,
    versions: [{ name: 'v1', schema: Event, selectableFields: selectableInCore }],
    strategy: mainStrategy(names, 'core'),
  })

/** The same events in the events group. */
export const events = (names: EventNames) =>
  defineResource({
    ...shared,
    group: names.eventsGroup,
    // Errors refer to the core group.
    formerGroup: '',
    storedAs: { group: '', resource: 'events' },
    versions: [
      { name: 'v1', schema: EventV1, toStorage: toStored, fromStorage: fromStored, selectableFields: selectable },
      {
        name: 'v1beta1',
        until: '1.24',
        schema: EventV1beta1,
        toStorage: toStored,
        fromStorage: fromStored,
        selectableFields: selectable,
        deprecated: {
          since: '1.22',
          removedRelease: '1.25',
          replacement: `${names.eventsGroup}/v1`,
        },
      },
      { name: 'stored', schema: Event, storage: true, served: false },
    ],
    strategy: mainStrategy(names, 'events'),
  })

import { isDeepStrictEqual } from 'node:util'
import { defineDifference, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { Event } from 'orch/sdk/core'
import { isDns1123Subdomain, isQualifiedName, nameIsDnsSubdomain } from 'orch/sdk/validation'

/** The rules of the version of a request. */
export interface EventRules {
  readonly isStrict: boolean
  /** Whether an update of a version that is strict is compared with the stored event. */
  readonly comparesUpdates: boolean
  readonly systemNamespace: string
  /** The field of the reporter in errors about events of the new kind. */
  readonly reporterField: 'reportingController' | 'reportingComponent'
}

export const reporterAsInVersion = defineDifference({
  name: 'errors-name-the-reporter-as-the-version-does',
  since: '1.25',
  description: 'Errors about Events of the core group name reportingComponent instead of reportingController.',
  knownFrom: 'source',
})

export const updatesAreCompared = defineDifference({
  name: 'updates-of-events-are-compared',
  since: '1.24',
  additive: true,
  description: 'Updates in version v1 of the events group may change only the series of an Event; before, every field.',
  knownFrom: 'source',
})

const maxWordBytes = 128
const maxMessageBytes = 1024

/** Rules for every event. Events with an `eventTime` are of the new kind, which has more required fields. */
export function validateEvent(event: Event, rules: EventRules): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  return [
    ...(event.eventTime ? validateNewKind(event, rules) : validateOldKind(event)),
    ...isDns1123Subdomain(namespace).map(text => invalidValue('namespace', namespace, text)),
    ...(rules.isStrict ? validateStrictly(event) : []),
  ]
}

const isTooLong = (text: string, maxBytes: number) => Buffer.byteLength(text) > maxBytes
const namespaceMismatch = (event: Event) =>
  invalidValue('involvedObject.namespace', event.involvedObject.namespace ?? '', 'does not match event.namespace')

function validateOldKind(event: Event): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  const about = event.involvedObject.namespace ?? ''
  const isMatching = about === '' ? namespace === '' || namespace === 'default' : about === namespace
  return isMatching ? [] : [namespaceMismatch(event)]
}

function validateNewKind(event: Event, { systemNamespace, reporterField }: EventRules): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event
  const isInOtherNamespace =
    (event.involvedObject.namespace ?? '') === '' && !['default', systemNamespace].includes(namespace)
  const word = (value: string, field: string) => [
    ...(value === '' ? [requiredValue(field)] : []),
    ...(isTooLong(value, maxWordBytes) ? [invalidValue(field, '', `can have at most ${maxWordBytes} characters`)] : []),
  ]
  return [
    ...(isInOtherNamespace ? [namespaceMismatch(event)] : []),
    ...(reportingComponent === '' ? [requiredValue(reporterField)] : []),
    ...isQualifiedName(reportingComponent).map(text => invalidValue(reporterField, reportingComponent, text)),
    ...word(reportingInstance, 'reportingInstance'),
    ...word(action, 'action'),
    ...word(reason, 'reason'),
    ...(isTooLong(message, maxMessageBytes)
      ? [invalidValue('message', '', `can have at most ${maxMessageBytes} characters`)]
      : []),
  ]
}

/** The newest version accepts only events of the new kind, without deprecated fields. */
function validateStrictly(event: Event): FieldError[] {
  const unset = (field: string) => invalidValue(field, '', 'needs to be unset')
  const { component, host } = event.source ?? {}
  return [
    ...validateName(event),
    ...validateSeries(event),
    ...(event.eventTime ? [] : [requiredValue('eventTime')]),
    ...(event.type === 'Normal' || event.type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${event.type ?? ''}`)]),
    ...(event.firstTimestamp ? [unset('firstTimestamp')] : []),
    ...(event.lastTimestamp ? [unset('lastTimestamp')] : []),
    ...(event.count ? [unset('count')] : []),
    ...(component || host ? [unset('source')] : []),
  ]
}

/** Only the newest version has a rule for names; in the others they only need to be valid in a URL. */
const validateName = ({ metadata: { name = '', generateName = '' } = {} }: Event): FieldError[] => [
  ...(generateName === '' ? [] : nameIsDnsSubdomain(generateName, true)).map(text =>
    invalidValue('metadata.generateName', generateName, text),
  ),
  ...(name === '' ? [] : nameIsDnsSubdomain(name, false)).map(text => invalidValue('metadata.name', name, text)),
]

const validateSeries = ({ series }: Event): FieldError[] =>
  series
    ? [
        ...((series.count ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
        ...(series.lastObservedTime ? [] : [requiredValue('series.lastObservedTime')]),
      ]
    : []

/** Immutable fields; order and duplicates are those of the reference. */
const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
] as const
/** In the newest version, only the series of an event can change, unless updates are not compared. */
export function validateEventUpdate(sent: Event, stored: Event, rules: EventRules): FieldError[] {
  const errors = validateEvent(sent, { ...rules, isStrict: false })
  if (!rules.isStrict || !rules.comparesUpdates) return errors
  const isChanged = (name: (typeof fixed)[number] | 'series') =>
    !isDeepStrictEqual(sent[name] ?? null, stored[name] ?? null)
  return [
    ...errors,
    ...(isChanged('series') ? validateSeries(sent) : []),
    ...fixed
      .filter(isChanged)
      .map(name =>
        invalidValue(name === 'reportingComponent' ? 'reportingController' : name, sent[name], 'field is immutable'),
      ),
  ]
}

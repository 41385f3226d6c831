import { isDeepStrictEqual } from 'node:util'
import { type Event, type FieldError, invalidValue, isDns1123Subdomain, isQualifiedName, required } from 'orch/sdk'

/** How the version of a request names things, and how strict it is. */
export interface EventRules {
  readonly isStrict: boolean
  readonly reporterField: 'reportingComponent' | 'reportingController'
  readonly systemNamespace: string
}

const maxWordLength = 128
const maxMessageLength = 1024

/** What must hold for every event. One with an `eventTime` is of the new kind, which has to say more. */
export function validateEvent(event: Event, rules: EventRules): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  return [
    ...(event.eventTime ? validateNewKind(event, rules) : validateOldKind(event)),
    ...isDns1123Subdomain(namespace).map(text => invalidValue('namespace', namespace, text)),
    ...(rules.isStrict ? validateStrictly(event) : []),
  ]
}

const elsewhere = (event: Event) =>
  invalidValue('involvedObject.namespace', event.involvedObject.namespace ?? '', 'does not match event.namespace')

function validateOldKind(event: Event): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  const about = event.involvedObject.namespace ?? ''
  const isFitting = about === '' ? namespace === '' || namespace === 'default' : about === namespace
  return isFitting ? [] : [elsewhere(event)]
}

function validateNewKind(event: Event, { reporterField, systemNamespace }: EventRules): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event
  const isLost = (event.involvedObject.namespace ?? '') === '' && !['default', systemNamespace].includes(namespace)
  const word = (value: string, field: string) => [
    ...(value === '' ? [required(field)] : []),
    ...(value.length > maxWordLength ? [invalidValue(field, '', `can have at most ${maxWordLength} characters`)] : []),
  ]
  return [
    ...(isLost ? [elsewhere(event)] : []),
    ...(reportingComponent === '' ? [required(reporterField)] : []),
    ...isQualifiedName(reportingComponent).map(text => invalidValue(reporterField, reportingComponent, text)),
    ...word(reportingInstance, 'reportingInstance'),
    ...word(action, 'action'),
    ...word(reason, 'reason'),
    ...(message.length > maxMessageLength
      ? [invalidValue('message', '', `can have at most ${maxMessageLength} characters`)]
      : []),
  ]
}

/** The newest version takes only events of the new kind, without what it calls deprecated. */
function validateStrictly(event: Event): FieldError[] {
  const unset = (field: string) => invalidValue(field, '', 'needs to be unset')
  const { component, host } = event.source ?? {}
  return [
    ...(event.series && (event.series.count ?? 0) < 2
      ? [invalidValue('series.count', '', 'should be at least 2')]
      : []),
    ...(event.series && !event.series.lastObservedTime ? [required('series.lastObservedTime')] : []),
    ...(event.eventTime ? [] : [required('eventTime')]),
    ...(event.type === 'Normal' || event.type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${event.type ?? ''}`)]),
    ...(event.firstTimestamp ? [unset('firstTimestamp')] : []),
    ...(event.lastTimestamp ? [unset('lastTimestamp')] : []),
    ...(event.count ? [unset('count')] : []),
    ...(component || host ? [unset('source')] : []),
  ]
}

const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reportingComponent',
  'reportingInstance',
  'action',
  'type',
  'eventTime',
  'related',
] as const
/** In the newest version an event only gains repetitions. */
export function validateEventUpdate(sent: Event, stored: Event, rules: EventRules): FieldError[] {
  const errors = validateEvent(sent, { ...rules, isStrict: false })
  if (!rules.isStrict) return errors
  const isChanged = (name: (typeof fixed)[number]) => !isDeepStrictEqual(sent[name] ?? null, stored[name] ?? null)
  return [...errors, ...fixed.filter(isChanged).map(name => invalidValue(name, sent[name], 'field is immutable'))]
}

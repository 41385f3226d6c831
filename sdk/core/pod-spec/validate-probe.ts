import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../resource/field-errors.js'
import { isHttpHeaderName, isValidPortName, isValidPortNumber } from '../../validation/object-names.js'
import type { PodSpec } from '../pod-spec.js'
import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe, ProbeHandler, SleepAction } from '../probe.js'
import { oneOf, requireFields } from '../validation/field-rules.js'
import type { PodRules } from './pod-rules.js'

/** A port by number or by the name of a container port. */
export const validatePortReference = (port: number | string, field: string): FieldError[] =>
  (typeof port === 'number' ? isValidPortNumber(port) : isValidPortName(port)).map(text =>
    invalidValue(field, port, text),
  )

const validateHttpGet = (action: HTTPGetAction, field: string): FieldError[] => [
  ...requireFields(action, field, 'path'),
  ...validatePortReference(action.port, `${field}.port`),
  ...oneOf(action.scheme, `${field}.scheme`, ['HTTP', 'HTTPS']),
  ...(action.httpHeaders ?? []).flatMap(({ name }) =>
    isHttpHeaderName(name).map(text => invalidValue(`${field}.httpHeaders`, name, text)),
  ),
]

type Handlers = Required<ProbeHandler>
const handlerRules: { [K in keyof Handlers]: (action: Handlers[K], field: string) => FieldError[] } = {
  exec: (action, field) => requireFields(action, field, 'command'),
  httpGet: validateHttpGet,
  tcpSocket: (action, field) => validatePortReference(action.port, `${field}.port`),
  grpc: (action, field) => validatePortReference(action.port, `${field}.port`),
}

/** How a sleep is validated; probes do not sleep. */
type CheckSleep = (sleep: SleepAction, field: string) => FieldError[]

/** Exactly one action, which must be valid. */
function validateHandler(
  handler: ProbeHandler | LifecycleHandler,
  field: string,
  sleep: CheckSleep = () => [],
): FieldError[] {
  const actions = handler as Record<string, unknown>
  const rules: Record<string, unknown> = { ...handlerRules, sleep }
  const set = Object.keys(rules).filter(name => actions[name] !== undefined)
  const [first, ...others] = set
  if (first === undefined) return [requiredValue(field, 'must specify a handler type')]
  const check = rules[first] as (action: unknown, field: string) => FieldError[]
  return [
    ...check(actions[first], `${field}.${first}`),
    ...others.map(name => forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ]
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const
/** A check of a container, if there is one. */
export function validateProbe(probe: Probe | undefined, field: string): FieldError[] {
  if (probe === undefined) return []
  const errors = validateHandler(probe, field)
  for (const name of counts)
    if ((probe[name] ?? 0) < 0)
      errors.push(invalidValue(`${field}.${name}`, probe[name], 'must be greater than or equal to 0'))
  const grace = probe.terminationGracePeriodSeconds
  if (grace !== undefined && grace <= 0)
    errors.push(invalidValue(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'))
  return errors
}

/** Liveness and startup are decided by a single success. */
export const checkSingleSuccess = (probe: Probe | undefined, field: string): FieldError[] =>
  probe !== undefined && (probe.successThreshold ?? 1) !== 1
    ? [invalidValue(`${field}.successThreshold`, probe.successThreshold, 'must be 1')]
    : []

/** A readiness probe never terminates the container, so it has no grace period. */
export const checkNoGracePeriod = (probe: Probe | undefined, field: string): FieldError[] =>
  probe?.terminationGracePeriodSeconds === undefined
    ? []
    : [
        invalidValue(
          `${field}.terminationGracePeriodSeconds`,
          probe.terminationGracePeriodSeconds,
          'must not be set for readinessProbes',
        ),
      ]

/** What runs after the start and before the end of a container. */
export function validateLifecycle(
  { postStart, preStop, stopSignal }: Lifecycle,
  field: string,
  { terminationGracePeriodSeconds: grace, os }: Pick<PodSpec, 'terminationGracePeriodSeconds' | 'os'>,
  { takesSleepsOfZero }: Pick<PodRules, 'takesSleepsOfZero'>,
): FieldError[] {
  const least = takesSleepsOfZero ? 0 : 1
  const checkSleep: CheckSleep = ({ seconds }, at) =>
    grace === undefined || (seconds >= least && seconds <= grace)
      ? []
      : [
          invalidValue(
            at,
            seconds,
            `must be ${least === 0 ? 'non-negative' : 'greater than 0'} and less than terminationGracePeriodSeconds (${grace})`,
          ),
        ]
  return [
    ...(postStart ? validateHandler(postStart, `${field}.postStart`, checkSleep) : []),
    ...(preStop ? validateHandler(preStop, `${field}.preStop`, checkSleep) : []),
    ...(stopSignal === undefined ? [] : checkStopSignal(stopSignal, `${field}.stopSignal`, os?.name)),
  ]
}

const windowsSignals = ['SIGKILL', 'SIGTERM']
const linuxSignal =
  /^SIG(ABRT|ALRM|BUS|CHLD|CLD|CONT|FPE|HUP|ILL|INT|IO|IOT|KILL|PIPE|POLL|PROF|PWR|QUIT|SEGV|STKFLT|STOP|SYS|TERM|TRAP|TSTP|TTIN|TTOU|URG|USR1|USR2|VTALRM|WINCH|XCPU|XFSZ|RTMIN(\\+([1-9]|1[0-5]))?|RTMAX(-([1-9]|1[0-4]))?)$/
function checkStopSignal(signal: string, field: string, system: string | undefined): FieldError[] {
  if (system === undefined) return [forbiddenField(field, 'may not be set for containers with empty `spec.os.name`')]
  const isKnown = system === 'windows' ? windowsSignals.includes(signal) : linuxSignal.test(signal)
  return isKnown ? [] : [notSupported(field, signal, windowsSignals)]
}

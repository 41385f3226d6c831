import { type FieldError, forbiddenField, invalidValue, requiredValue } from '../../field-errors.js'
import { isHttpHeaderName, isValidPortName, isValidPortNumber } from '../../object-names.js'
import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe, ProbeHandler } from '../probe.js'
import { oneOf, requireFields } from '../validation/field-rules.js'

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

/** Exactly one action, and nothing wrong with it. */
function validateHandler(handler: ProbeHandler | LifecycleHandler, field: string): FieldError[] {
  const actions = handler as Record<string, unknown>
  const set = Object.keys(handlerRules).filter(name => actions[name] !== undefined)
  const [first, ...others] = set
  if (first === undefined) return [requiredValue(field, 'must specify a handler type')]
  const check = handlerRules[first as keyof Handlers] as (action: unknown, field: string) => FieldError[]
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

/** Readiness ends nothing, so nothing is waited for. */
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
export const validateLifecycle = ({ postStart, preStop }: Lifecycle, field: string): FieldError[] => [
  ...(postStart ? validateHandler(postStart, `${field}.postStart`) : []),
  ...(preStop ? validateHandler(preStop, `${field}.preStop`) : []),
]

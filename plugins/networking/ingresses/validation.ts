import { addAll, type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import {
  isDns1123Subdomain,
  isValidIp,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
  nameIsDns1035Label,
  nameIsDnsLabel,
} from 'orch/sdk/validation'
import { validateLoadBalancerStatus } from '../load-balancer-status.js'
import type { NetworkingNames } from '../names.js'
import { validateReference } from '../object-reference-rules.js'
import type {
  HTTPIngressPath,
  HTTPIngressRuleValue,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
} from './schema.js'

/** The target of traffic: a port of a Service, or another object. */
function validateBackend({ service, resource }: IngressBackend, field: string, rules: Rules): FieldError[] {
  if (service && resource) return [invalidValue(field, '', 'cannot set both resource and service backends')]
  if (resource) return validateReference(resource, `${field}.resource`)
  return service
    ? validateService(service, field, rules)
    : [invalidValue(field, '', 'resource or service backend is required')]
}

function validateService(
  { name, port = {} }: IngressServiceBackend,
  field: string,
  { isServiceName }: Rules,
): FieldError[] {
  const { name: portName = '', number = 0 } = port
  const at = `${field}.service.name`
  const errors =
    name === '' ? [requiredValue(at)] : isServiceName(name, false).map(text => invalidValue(at, name, text))
  if (portName !== '' && number !== 0) errors.push(invalidValue(field, '', 'cannot set both port name & port number'))
  else if (portName !== '')
    addAll(
      errors,
      isValidPortName(portName).map(text => invalidValue(`${field}.service.port.name`, portName, text)),
    )
  else if (number !== 0)
    addAll(
      errors,
      isValidPortNumber(number).map(text => invalidValue(`${field}.service.port.number`, number, text)),
    )
  else errors.push(requiredValue(field, 'port name or number is required'))
  return errors
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'] as const
/** Sequences that make a path ambiguous. */
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'] as const
const forbiddenEnds = ['/..', '/.'] as const

const validateHttpRule = ({ paths }: HTTPIngressRuleValue, field: string, rules: Rules): FieldError[] =>
  (paths ?? []).length === 0
    ? [requiredValue(`${field}.paths`)]
    : paths.flatMap((path, i) => validatePath(path, `${field}.paths[${i}]`, rules))

function validatePath({ path = '', pathType, backend }: HTTPIngressPath, field: string, rules: Rules): FieldError[] {
  if (pathType === undefined || pathType === null)
    return [requiredValue(`${field}.pathType`, 'pathType must be specified')]
  return [...checkPath(path, pathType, field), ...validateBackend(backend, `${field}.backend`, rules)]
}

function checkPath(path: string, pathType: string, field: string): FieldError[] {
  const broken = (detail: string) => invalidValue(`${field}.path`, path, detail)
  const absolute = path.startsWith('/') ? [] : [broken('must be an absolute path')]
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      return [
        ...absolute,
        ...forbiddenSequences
          .filter(sequence => path.includes(sequence))
          .map(sequence => broken(`must not contain '${sequence}'`)),
        ...forbiddenEnds.filter(end => path.endsWith(end)).map(end => broken(`cannot end with '${end}'`)),
      ]
    case 'ImplementationSpecific':
      return path === '' ? [] : absolute
    default:
      return [notSupported(`${field}.pathType`, pathType, pathTypes)]
  }
}

/** What the rules depend on. */
interface Rules extends Pick<NetworkingNames, 'isServiceName'> {
  /** Invalid values that an update may keep, because they were stored before these rules existed. */
  readonly mayHaveInvalidSecretName?: boolean
  readonly mayHaveInvalidWildcardRule?: boolean
}

export function validateIngress(
  { metadata, spec = {} }: Ingress,
  { classAnnotation, takesClassTwice, isServiceName }: NetworkingNames,
): FieldError[] {
  const errors = validateSpec(spec, { isServiceName })
  const annotated = metadata?.annotations?.[classAnnotation]
  const isSame = takesClassTwice && annotated === spec.ingressClassName
  if (annotated !== undefined && spec.ingressClassName !== undefined && !isSame)
    errors.push(
      invalidValue(`annotations.${classAnnotation}`, annotated, 'can not be set when the class field is also set'),
    )
  return errors
}

export const validateIngressUpdate = (
  { spec = {} }: Ingress,
  { spec: stored = {} }: Ingress,
  names: NetworkingNames,
): FieldError[] =>
  validateSpec(spec, {
    isServiceName: hasLaxServiceName(stored, names) ? nameIsDnsLabel : names.isServiceName,
    mayHaveInvalidSecretName: (stored.tls ?? []).some(tls => checkSecretName(tls, '').length > 0),
    mayHaveInvalidWildcardRule: (stored.rules ?? []).some(
      ({ host = '', http }) =>
        // By the strict rule for names of Services in all versions.
        isWildcard(host) &&
        http !== undefined &&
        validateHttpRule(http, '', { isServiceName: nameIsDns1035Label }).length > 0,
    ),
  })

/** Has the stored Ingress a Service whose name begins with a digit, in a place where such names may stay? */
function hasLaxServiceName(
  { defaultBackend, rules = [] }: IngressSpec,
  { keepsServiceNames, keepsDefaultBackends }: NetworkingNames,
): boolean {
  const ofRules = rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))
  return [...(keepsServiceNames ? ofRules : []), ...(keepsDefaultBackends ? [defaultBackend] : [])].some(backend => {
    const name = backend?.service?.name ?? ''
    return nameIsDnsLabel(name, false).length === 0 && nameIsDns1035Label(name, false).length > 0
  })
}

export const validateIngressStatus = ({ status }: Ingress, stored?: Ingress, areStrict = false): FieldError[] =>
  validateLoadBalancerStatus(status?.loadBalancer ?? {}, 'status.loadBalancer', {
    areStrict,
    stored: stored?.status?.loadBalancer,
  })

function validateSpec(spec: IngressSpec, how: Rules): FieldError[] {
  const { ingressClassName: className, defaultBackend, tls = [], rules = [] } = spec
  const nothing = invalidValue('spec', rules, 'either `defaultBackend` or `rules` must be specified')
  const ofTls = tls.flatMap((one, i) => {
    const at = `spec.tls[${i}]`
    const hosts = (one.hosts ?? []).flatMap((host, j) => checkHost(host, `${at}.hosts[${j}]`))
    return how.mayHaveInvalidSecretName ? hosts : [...hosts, ...checkSecretName(one, at)]
  })
  const ofClass = className === undefined ? [] : isDns1123Subdomain(className)
  return [
    ...(rules.length === 0 && !defaultBackend ? [nothing] : []),
    ...(defaultBackend ? validateBackend(defaultBackend, 'spec.defaultBackend', how) : []),
    ...rules.flatMap((rule, i) => validateRule(rule, `spec.rules[${i}]`, how)),
    ...ofTls,
    ...ofClass.map(text => invalidValue('spec.ingressClassName', className, text)),
  ]
}

const isWildcard = (host: string) => host.includes('*')
const checkHost = (host: string, field: string): FieldError[] =>
  (isWildcard(host) ? isWildcardDns1123Subdomain : isDns1123Subdomain)(host).map(text =>
    invalidValue(field, host, text),
  )

function validateRule({ host = '', http }: IngressRule, field: string, rules: Rules): FieldError[] {
  const errors: FieldError[] = []
  if (host !== '') {
    if (isValidIp(host).length === 0)
      errors.push(invalidValue(`${field}.host`, host, 'must be a DNS name, not an IP address'))
    addAll(errors, checkHost(host, `${field}.host`))
  }
  if (http && !(isWildcard(host) && rules.mayHaveInvalidWildcardRule))
    addAll(errors, validateHttpRule(http, `${field}.http`, rules))
  return errors
}

const checkSecretName = ({ secretName = '' }: IngressTLS, field: string): FieldError[] =>
  secretName === ''
    ? []
    : isDns1123Subdomain(secretName).map(text => invalidValue(`${field}.secretName`, secretName, text))

import { addAll, type FieldError, forbiddenField, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { checkNotSpecialIp, type Service, type ServiceSpec } from 'orch/sdk/core'
import { isDns1123Subdomain, isQualifiedName, isValidPortNumber, validateLabels } from 'orch/sdk/validation'
import { addressRule } from '../address-rules.js'
import { exposesNodeAgents, mixesProtocols, policiesAreChoices, topologyAnnotationsAgree } from '../differences.js'
import type { ServiceNames } from './names.js'
import {
  hasTrafficPolicy,
  isExternallyReachable,
  isExternalName,
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
  specOf,
} from './service-kinds.js'
import { validateServiceChange } from './validate-change.js'
import { validateClusterIps } from './validate-cluster-ips.js'
import { checkPortPairs, validateServicePorts } from './validate-ports.js'
import { validateSourceRanges } from './validate-source-ranges.js'

/** In older versions a load balancer may not use the port that node agents have, whatever is behind it. */
const nodeAgentPort = 10_250
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'"

function validateService(service: Service, stored: Service | undefined, names: ServiceNames): FieldError[] {
  const [spec, former] = [specOf(service), stored && specOf(stored)]
  return [
    ...validateByType(spec, names),
    ...validateTopology(service, names),
    ...validateServicePorts(spec, 'spec.ports'),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateAffinity(spec),
    ...(isExternalName(spec) ? [] : validateClusterIps(spec, former, names)),
    ...validateExternalIps(spec, former, names),
    ...checkPortPairs(spec, 'spec.ports'),
    ...validateSourceRanges(service, stored, names),
    ...validateLoadBalancing(spec),
    ...validateTrafficPolicies(spec, names),
    ...validateDistribution(spec, names),
  ]
}

export const validateNewService = (service: Service, names: ServiceNames): FieldError[] => [
  ...validateService(service, undefined, names),
  ...checkOneProtocol(specOf(service), undefined, names),
]

export const validateServiceUpdate = (sent: Service, stored: Service, names: ServiceNames): FieldError[] => [
  ...validateServiceChange(specOf(sent), specOf(stored)),
  ...validateLoadBalancerClass(specOf(sent)),
  ...validateService(sent, stored, names),
  ...checkOneProtocol(specOf(sent), specOf(stored), names),
]

/** A load balancer has one protocol; a Service that already has several may keep them. */
function checkOneProtocol(spec: ServiceSpec, stored: ServiceSpec | undefined, { level }: ServiceNames): FieldError[] {
  if (level.has(mixesProtocols)) return []
  const isMixed = ({ ports = [] }: ServiceSpec) => new Set(ports.map(({ protocol }) => protocol)).size > 1
  return spec.type === 'LoadBalancer' && isMixed(spec) && !(stored && isMixed(stored))
    ? [invalidValue('spec.ports', spec.ports, "may not contain more than 1 protocol when type is 'LoadBalancer'")]
    : []
}

function validateByType(spec: ServiceSpec, { level }: ServiceNames): FieldError[] {
  const { ports = [], type } = spec
  const errors: FieldError[] = []
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') errors.push(requiredValue('spec.ports'))
  if (type === 'LoadBalancer' && !level.has(exposesNodeAgents))
    for (const [i, { port }] of ports.entries())
      if (port === nodeAgentPort)
        errors.push(
          invalidValue(
            `spec.ports[${i}]`,
            port,
            `may not expose port ${port} externally since it is used by the node agent`,
          ),
        )
  if (isExternallyReachable(spec) && isHeadless(spec))
    errors.push(
      invalidValue('spec.clusterIPs[0]', spec.clusterIPs?.[0], `may not be set to 'None' for ${type} services`),
    )
  return type === 'ExternalName' ? [...errors, ...validateExternalName(spec)] : errors
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const reason = 'may not be set for ExternalName services'
  const errors: FieldError[] = []
  if ((spec.clusterIPs ?? []).length > 0) errors.push(forbiddenField('spec.clusterIPs', reason))
  if ((spec.ipFamilies ?? []).length > 0) errors.push(forbiddenField('spec.ipFamilies', reason))
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbiddenField('spec.ipFamilyPolicy', reason))
  const field = 'spec.externalName'
  // A trailing dot makes the name fully qualified.
  const name = (spec.externalName ?? '').replace(/\.$/, '')
  if (name === '') errors.push(requiredValue(field))
  else
    addAll(
      errors,
      isDns1123Subdomain(name).map(text => invalidValue(field, name, text)),
    )
  return errors
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = []
  const field = 'spec.sessionAffinityConfig'
  if (sessionAffinity === 'None' && config !== undefined)
    errors.push(forbiddenField(field, 'must not be set when session affinity is None'))
  if (sessionAffinity === 'ClientIP' && config?.clientIP?.timeoutSeconds === undefined)
    errors.push(requiredValue(`${field}.clientIP.timeoutSeconds`))
  return errors
}

function validateExternalIps(
  { externalIPs = [] }: ServiceSpec,
  stored: ServiceSpec | undefined,
  { strictAddresses = false }: ServiceNames,
): FieldError[] {
  const problemsOf = addressRule(strictAddresses, stored?.externalIPs)
  return externalIPs.flatMap((ip, i) => {
    const field = `spec.externalIPs[${i}]`
    const broken = problemsOf(ip)
    return broken.length > 0 ? broken.map(text => invalidValue(field, ip, text)) : checkNotSpecialIp(ip, field)
  })
}

/** Which endpoints are preferred; the last two names are newer. */
function validateDistribution({ trafficDistribution: asked }: ServiceSpec, { prefersNodes = false }: ServiceNames) {
  const known = ['PreferClose', ...(prefersNodes ? ['PreferSameZone', 'PreferSameNode'] : [])]
  return asked === undefined || known.includes(asked) ? [] : [notSupported('spec.trafficDistribution', asked, known)]
}

function validateTopology({ metadata }: Service, names: ServiceNames): FieldError[] {
  const { level, topologyModeAnnotation, formerHintsAnnotation } = names
  const { [topologyModeAnnotation]: mode, [formerHintsAnnotation]: hints } = metadata?.annotations ?? {}
  if (!level.has(topologyAnnotationsAgree) || mode === undefined || hints === undefined || mode === hints) return []
  const why = `must match annotations[${formerHintsAnnotation}] when both are specified`
  return [invalidValue(`metadata.annotations[${topologyModeAnnotation}]`, mode, why)]
}

function validateLoadBalancing(spec: ServiceSpec): FieldError[] {
  const { type, allocateLoadBalancerNodePorts } = spec
  return [
    ...(allocateLoadBalancerNodePorts !== undefined && type !== 'LoadBalancer'
      ? [forbiddenField('spec.allocateLoadBalancerNodePorts', onlyLoadBalancer)]
      : []),
    ...validateLoadBalancerClass(spec),
  ]
}

/** The reference validates it again for a change, so it reports the errors twice. */
function validateLoadBalancerClass({ type, loadBalancerClass: name }: ServiceSpec): FieldError[] {
  const field = 'spec.loadBalancerClass'
  if (name === undefined) return []
  return type === 'LoadBalancer'
    ? isQualifiedName(name).map(text => invalidValue(field, name, text))
    : [forbiddenField(field, onlyLoadBalancer)]
}

function validateTrafficPolicies(spec: ServiceSpec, { level }: ServiceNames): FieldError[] {
  const { externalTrafficPolicy: external = '', internalTrafficPolicy: internal, healthCheckNodePort: port = 0 } = spec
  const errors: FieldError[] = []
  const externalField = 'spec.externalTrafficPolicy'
  const isChoice = level.has(policiesAreChoices)
  if (!['', 'Cluster', 'Local'].includes(external)) {
    if (!isChoice)
      errors.push(invalidValue(externalField, external, 'ExternalTrafficPolicy must be empty, Cluster or Local'))
    else if (hasTrafficPolicy(spec, level)) errors.push(notSupported(externalField, external, ['Cluster', 'Local']))
  }
  if (internal === undefined && needsClusterIp(spec)) errors.push(requiredValue('spec.internalTrafficPolicy'))
  if (external !== '' && !hasTrafficPolicy(spec, level))
    errors.push(
      invalidValue(
        externalField,
        external,
        'ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
      ),
    )
  if (port !== 0 && !needsHealthCheckPort(spec))
    errors.push(
      invalidValue(
        'spec.healthCheckNodePort',
        port,
        'HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
      ),
    )
  else if (port !== 0)
    for (const text of isValidPortNumber(port)) errors.push(invalidValue('spec.healthCheckNodePort', port, text))
  return errors
}

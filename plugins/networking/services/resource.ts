import {
  type ApiObject,
  type ConnectSubresource,
  defineRemovalHook,
  defineResource,
  defineWriteHook,
  type FieldError,
  forbiddenField,
  services as kernel,
  services as kernelServices,
  notSupported,
  requiredValue,
  type Strategy,
  serviceUnavailable,
  strategyForStatus,
} from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { type Endpoints, proxyTo, Service, splitProxyName, unreachableService } from 'orch/sdk/core'
import {
  addressesAreStrict,
  balancedStatusNeedsType,
  namesHaveNoInternalPolicy,
  serviceMetadataOnce,
  serviceNameRule,
  servicesAreSelectedByType,
} from '../differences.js'
import { removeAddresses, syncAddresses } from '../ip-addresses/service-ip-addresses.js'
import { validateLoadBalancerStatus } from '../load-balancer-status.js'
import type { NetworkingNames } from '../names.js'
import { addressWarnings } from './address-warnings.js'
import { namesOf } from './addresses/address-claims.js'
import { carryOver } from './carry-over.js'
import { columns } from './columns.js'
import type { ServiceNames } from './names.js'
import { addressesOf, hasTrafficPolicy, needsClusterIp, specOf } from './service-kinds.js'
import { validateNewService, validateServiceUpdate } from './validation.js'
import { serviceWarnings } from './warnings.js'

const needs = { client: kernel.client }

/** Checks everything that can be checked without a connection to the endpoints, then fails. */
const proxy: ConnectSubresource<typeof needs> = {
  ...proxyTo('Service'),
  needs,
  async connect(request, { client }) {
    const { name, port } = splitProxyName('service', request.name)
    const portName = nameOfPort(request.target as ApiObject & Service, port)
    const endpoints = client.resource<ApiObject & Endpoints>({ group: '', version: 'v1', resource: 'endpoints' })
    const { subsets = [] } = await endpoints.in(request.namespace).get(name)
    const hasEndpoints = subsets.some(
      ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some(each => (each.name ?? '') === portName),
    )
    if (!hasEndpoints) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(request.name)}`)
    throw unreachableService(`service ${JSON.stringify(name)}`)
  },
}

/** The name of a port, which is requested by name or by number. */
function nameOfPort({ metadata, spec }: ApiObject & Service, asked: string): string {
  if (!/^\d+$/.test(asked)) return asked
  const found = (spec?.ports ?? []).find(({ port }) => port === Number(asked))
  if (!found)
    throw serviceUnavailable(`no service port ${Number(asked)} found for service ${JSON.stringify(metadata.name)}`)
  return found.name ?? ''
}

/** A Service of type ExternalName has no traffic policy. */
function dropUnused({ spec }: Service, { level }: ServiceNames): void {
  // An impossible one stays, to be refused.
  const isPossible = ['Cluster', 'Local'].includes(spec?.internalTrafficPolicy ?? '')
  if (spec?.type === 'ExternalName' && isPossible && level.has(namesHaveNoInternalPolicy))
    delete spec.internalTrafficPolicy
}

/** Clients write the spec; allocated addresses and node ports are kept. */
const mainStrategy = (names: ServiceNames) =>
  ({
    prepareForCreate(draft) {
      draft.status = { loadBalancer: {} }
      dropUnused(draft, names)
      carryOver(specOf(draft), undefined, names.level)
    },
    prepareForUpdate(draft, stored) {
      // A Service that is no longer of type LoadBalancer has no load balancer status, even if removing it takes a
      // while.
      const isBalanced = specOf(draft).type === 'LoadBalancer'
      draft.status = isBalanced ? stored.status : { ...stored.status, loadBalancer: {} }
      carryOver(specOf(draft), specOf(stored), names.level)
      dropUnused(draft, names)
    },
    validate: service => validateNewService(service, names),
    validateUpdate: (sent, stored) => validateServiceUpdate(sent, stored, names),
    metadataChecks: { change: 1, object: names.level.has(serviceMetadataOnce) ? 0 : 1 },
    warnings: service => serviceWarnings(service, names),
    resetFields: ['status'],
    createOnUpdate: true,
  }) satisfies Strategy<Service>

/** Endpoints belong to the Service of their name: they must not receive traffic after it is deleted. */
const removal = (names: NetworkingNames | undefined) =>
  defineRemovalHook<Service>()({
    needs: { client: kernelServices.client },
    async run(service, { client }) {
      const { namespace = '', name = '' } = service.metadata ?? {}
      if (names) await removeAddresses(client, names, service as ApiObject & Service, addressesOf(service))
      const endpoints = client.resource({ group: '', version: 'v1', resource: 'endpoints' }).in(namespace)
      await unlessLost(endpoints.delete(name), 'NotFound')
    },
  })

/** Creates the IPAddress objects right after the Service is stored. */
const addressObjects = (names: NetworkingNames) =>
  defineWriteHook<ApiObject & Service>()({
    needs: { client: kernelServices.client, logger: kernelServices.logger },
    async run(service, before, { client, logger }) {
      try {
        await syncAddresses(client, names, service, before)
      } catch (error) {
        // The next start repairs them.
        logger.warn('the objects for addresses of a Service could not be written', { error })
      }
    },
  })

const statusStrategy = (names: ServiceNames) =>
  strategyForStatus<Service>({
    validateUpdate: (sent, stored) => validateServiceStatus(sent, stored, names),
    warnings: ({ status }) =>
      names.level.has(addressesAreStrict)
        ? (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, i) =>
            addressWarnings(ip, `status.loadBalancer.ingress[${i}]`, names.level),
          )
        : [],
  })

const ipModes = ['Proxy', 'VIP']
export function validateServiceStatus(sent: Service, stored: Service, names: ServiceNames): FieldError[] {
  const ingress = sent.status?.loadBalancer?.ingress ?? []
  const at = 'status.loadBalancer'
  if (ingress.length > 0 && specOf(sent).type !== 'LoadBalancer' && names.level.has(balancedStatusNeedsType))
    return [forbiddenField(`${at}.ingress`, "may only be used when `spec.type` is 'LoadBalancer'")]
  return [
    ...validateLoadBalancerStatus(sent.status?.loadBalancer ?? {}, at, {
      areStrict: names.strictAddresses ?? false,
      stored: stored.status?.loadBalancer,
    }),
    ...ingress.flatMap(({ ip = '', ipMode }, i) => checkMode(ip, ipMode, `${at}.ingress[${i}].ipMode`, names)),
  ]
}
function checkMode(ip: string, mode: string | undefined, field: string, { hasIpModes }: ServiceNames): FieldError[] {
  if (!hasIpModes) return []
  if (mode === undefined) return ip === '' ? [] : [requiredValue(field, 'must be specified when `ip` is set')]
  if (ip === '') return [forbiddenField(field, 'may not be specified when `ip` is not set')]
  return ipModes.includes(mode) ? [] : [notSupported(field, mode, ipModes)]
}

const defaultAffinitySeconds = 10_800

/** Defaults that depend on other fields. */
function fillService({ spec, status }: Service, names: ServiceNames): void {
  if (spec === undefined) return
  if (names.hasIpModes && spec.type === 'LoadBalancer')
    for (const each of status?.loadBalancer?.ingress ?? []) if (each.ip) each.ipMode ??= 'VIP'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP')
    spec.sessionAffinityConfig = {
      clientIP: { timeoutSeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinitySeconds },
    }
  for (const port of spec.ports ?? []) if (!port.targetPort) port.targetPort = port.port
  if (hasTrafficPolicy(spec, names.level)) spec.externalTrafficPolicy ||= 'Cluster'
  if (needsClusterIp(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
}

const selectableFields = {
  'spec.clusterIP': (service: Service) => specOf(service).clusterIP ?? '',
  'spec.type': (service: Service) => specOf(service).type ?? '',
}

/** `names` is given where addresses are objects. */
export const services = (rules: ServiceNames, names?: NetworkingNames) =>
  defineResource({
    group: '',
    kind: 'Service',
    resource: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Service, defaults: (object: Service) => fillService(object, rules) }],
    generation: false,
    strategy: mainStrategy(rules),
    deletion: { answer: 'object' },
    afterRemoval: removal(names),
    ...(names ? { afterWrite: addressObjects(names) } : {}),
    exclusiveNames: namesOf,
    subresources: { status: { kind: 'update', strategy: statusStrategy(rules) }, proxy },
    validateName: serviceNameRule(rules.level),
    ...(rules.level.has(servicesAreSelectedByType) ? { selectableFields } : {}),
    columns,
  })

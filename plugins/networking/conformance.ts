import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { Endpoints, Service } from 'orch/sdk/core'
import type { ClusterCIDR } from './cluster-cidrs/resource.js'
import type { IngressClass } from './ingress-classes/schema.js'
import type { Ingress } from './ingresses/schema.js'
import type { IPAddress } from './ip-addresses/schema.js'
import { networkingNames } from './names.js'
import type { NetworkPolicy } from './network-policies/schema.js'
import type { ServiceCIDR } from './service-cidrs/schema.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = networkingNames(vendor)
  let made = 0
  let addresses = 0
  return {
    samples: {
      services: {
        valid: (): Service => ({ spec: { ports: [{ port: 80 }] } }),
        invalid: {
          'no ports': (object: Service) => {
            object.spec = {}
          },
          'a port out of range': (object: Service) => {
            object.spec = { ports: [{ port: 70_000 }] }
          },
        },
        update: (object: Service) => {
          object.spec = { ...object.spec, selector: { app: 'a' } }
        },
      },
      endpoints: {
        // Unique names, because Endpoints are deleted with the Service of the same name.
        valid: (): Endpoints => ({
          metadata: { name: `endpoints-${++made}` },
          subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }],
        }),
        invalid: {
          'a loopback address': (object: Endpoints) => {
            object.subsets = [{ addresses: [{ ip: '127.0.0.1' }] }]
          },
          'no addresses': (object: Endpoints) => {
            object.subsets = [{ ports: [{ port: 80 }] }]
          },
        },
      },
      [`ipaddresses.${group}`]: {
        // The name is the address.
        valid: (): IPAddress => ({
          metadata: { name: `192.0.2.${++addresses}` },
          spec: { parentRef: { resource: 'gateways', group: 'example.com', name: 'g', namespace: 'n' } },
        }),
        invalid: {
          'no parent': (object: IPAddress) => {
            object.spec = {}
          },
          'a name in another form': (object: IPAddress) => {
            object.metadata = { name: '192.0.2.01' }
          },
        },
      },
      [`servicecidrs.${group}`]: {
        valid: (): ServiceCIDR => ({ spec: { cidrs: ['198.51.100.0/24'] } }),
        invalid: {
          'no range': (object: ServiceCIDR) => {
            object.spec = { cidrs: [] }
          },
          'an invalid range': (object: ServiceCIDR) => {
            object.spec = { cidrs: ['198.51.100.0'] }
          },
        },
      },
      [`clustercidrs.${group}`]: {
        valid: (): Pick<ClusterCIDR, 'spec'> => ({ spec: { perNodeHostBits: 8, ipv4: '10.0.0.0/8', ipv6: '' } }),
        invalid: {
          'neither family': ({ spec }: ClusterCIDR) => {
            spec.ipv4 = ''
          },
          'more host bits than the range has': ({ spec }: ClusterCIDR) => {
            spec.perNodeHostBits = 30
          },
        },
      },
      [`ingressclasses.${group}`]: {
        valid: (): IngressClass => ({ spec: { controller: 'example.com/controller' } }),
        invalid: {
          'a controller without a domain': (object: IngressClass) => {
            object.spec = { controller: 'controller' }
          },
          'parameters without a kind': (object: IngressClass) => {
            object.spec = { controller: 'example.com/c', parameters: { kind: '', name: 'a' } }
          },
        },
        update: (object: IngressClass) => {
          object.spec = { ...object.spec, parameters: { kind: 'Settings', name: 'a' } }
        },
      },
      [`ingresses.${group}`]: {
        valid: (): Ingress => ({ spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } }),
        invalid: {
          'neither rules nor a default': (object: Ingress) => {
            object.spec = {}
          },
          'a host that is an IP address': (object: Ingress) => {
            object.spec = { ...object.spec, rules: [{ host: '10.0.0.1' }] }
          },
        },
        update: (object: Ingress) => {
          object.spec = { ...object.spec, rules: [{ host: 'a.example.com' }] }
        },
      },
      [`networkpolicies.${group}`]: {
        valid: (): NetworkPolicy => ({ spec: { podSelector: { matchLabels: { app: 'web' } } } }),
        invalid: {
          'an empty peer': (object: NetworkPolicy) => {
            object.spec = { podSelector: {}, ingress: [{ from: [{}] }] }
          },
          'a port out of range': (object: NetworkPolicy) => {
            object.spec = { podSelector: {}, egress: [{ ports: [{ port: 70000 }] }] }
          },
        },
        update: (object: NetworkPolicy) => {
          object.spec = { podSelector: { matchLabels: { app: 'api' } } }
        },
      },
    },
  }
}

import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { Service, type ServiceSpec } from 'orch/sdk/core'
import { schemaErrors } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serviceNames } from './names.js'
import { validateServiceStatus } from './resource.js'
import { validateNewService, validateServiceUpdate } from './validation.js'

const validation = suite('validation of services')
const names = serviceNames(new Vendor(profileAtVersion(kubernetesProfile, '1.23')!))
const port = { port: 80, protocol: 'TCP', targetPort: 80 }
const base = { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster', ports: [port] }
const twoProtocols = [
  { ...port, name: 'a' },
  { ...port, name: 'b', protocol: 'UDP' },
]
const balancer = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: true }

const cases: Record<string, [change: Partial<ServiceSpec>, ...wrong: string[]]> = {
  'accepts one port': [{}],
  'refuses no port': [{ ports: [] }, 'spec.ports Required'],
  'accepts no port without an address': [{ ports: [], clusterIP: 'None', clusterIPs: ['None'] }],
  'refuses ports without names when there are two': [
    { ports: [port, { ...port, port: 81 }] },
    'spec.ports[0].name Required',
    'spec.ports[1].name Required',
  ],
  'refuses a name and a number twice': [
    {
      ports: [
        { ...port, name: 'a' },
        { ...port, name: 'a' },
      ],
    },
    'spec.ports[1].name Duplicate',
    'spec.ports[1] Duplicate',
  ],
  'rejects an invalid port': [
    { ports: [{ ...port, port: 0, protocol: 'ICMP', targetPort: 'A' }] },
    'spec.ports[0].port Invalid',
    'spec.ports[0].protocol NotSupported',
    'spec.ports[0].targetPort Invalid',
    'spec.ports[0].targetPort Invalid',
  ],
  'refuses a port on nodes inside the cluster': [
    { ports: [{ ...port, nodePort: 30_000 }] },
    'spec.ports[0].nodePort Forbidden',
  ],
  'refuses an unknown type': [{ type: 'Bogus', internalTrafficPolicy: undefined }, 'spec.type NotSupported'],
  'rejects an invalid selector': [{ selector: { 'a b': 'c' } }, 'spec.selector Invalid'],
  'refuses an unknown affinity': [{ sessionAffinity: 'Bogus' }, 'spec.sessionAffinity NotSupported'],
  'refuses an affinity that lasts too long': [
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds Invalid',
  ],
  'rejects invalid or local addresses': [
    { externalIPs: ['x', '127.0.0.1'] },
    'spec.externalIPs[0] Invalid',
    'spec.externalIPs[1] Invalid',
  ],
  'refuses another first address': [{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'] }, 'spec.clusterIPs Invalid'],
  'refuses two addresses of one family': [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] },
    'spec.clusterIPs Invalid',
  ],
  'rejects three addresses, without checking their families': [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1', '10.0.0.2'] },
    'spec.clusterIPs Invalid',
  ],
  'rejects a duplicate family, and still checks the addresses': [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv4'] },
    'spec.ipFamilies[1] Duplicate',
    'spec.clusterIPs[1] Invalid',
  ],
  'refuses an address of another family': [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv6'] },
    'spec.clusterIPs[0] Invalid',
  ],
  'accepts several protocols inside the cluster': [{ ports: twoProtocols }],
  'refuses several protocols for a load balancer': [{ ...balancer, ports: twoProtocols }, 'spec.ports Invalid'],
  'refuses a headless load balancer': [
    { ...balancer, clusterIP: 'None', clusterIPs: ['None'] },
    'spec.clusterIPs[0] Invalid',
  ],
  'rejects the port of the node agent for a load balancer': [
    { ...balancer, ports: [{ ...port, port: 10_250 }] },
    'spec.ports[0] Invalid',
  ],
  'refuses ranges without a load balancer': [
    { loadBalancerSourceRanges: ['x'] },
    'spec.LoadBalancerSourceRanges Forbidden',
    'spec.LoadBalancerSourceRanges Invalid',
  ],
  'rejects a missing external name': [
    { type: 'ExternalName', internalTrafficPolicy: undefined, ports: [], clusterIPs: ['10.0.0.1'] },
    'spec.clusterIPs Forbidden',
    'spec.externalName Required',
  ],
  'refuses invalid policies': [
    { externalTrafficPolicy: 'Local', internalTrafficPolicy: 'Bogus', healthCheckNodePort: 1 },
    'spec.internalTrafficPolicy NotSupported',
    'spec.externalTrafficPolicy Invalid',
    'spec.healthCheckNodePort Invalid',
  ],
}
const wrongIn = (errors: ReturnType<typeof validateNewService>) =>
  errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
for (const [title, [change, ...wrong]] of Object.entries(cases))
  validation(title, () => {
    const service = { spec: { ...base, ...change } as ServiceSpec }
    const found = [...schemaErrors(Service, service), ...validateNewService(service, names)]
    assert.equal(wrongIn(found).sort(), wrong.sort())
  })

const annotation = `metadata.annotations[${names.sourceRangesAnnotation}]`
const annotated: Record<string, [type: string, ranges: string, ...wrong: string[]]> = {
  'accepts ranges in the old annotation': ['LoadBalancer', ' 10.0.0.0/8, 10.1.0.0/16 '],
  'accepts an old annotation that is empty': ['LoadBalancer', '  '],
  'refuses invalid ranges in the old annotation': ['LoadBalancer', 'foo', `${annotation} Invalid`],
  'refuses the old annotation without a load balancer': ['ClusterIP', '10.0.0.0/8', `${annotation} Forbidden`],
}
for (const [title, [type, ranges, ...wrong]] of Object.entries(annotated))
  validation(title, () => {
    const metadata = { name: 'web', annotations: { [names.sourceRangesAnnotation]: ranges } }
    assert.equal(wrongIn(validateNewService({ metadata, spec: { ...base, type } } as Service, names)), wrong)
  })

const v4 = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
const both = {
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1', 'fd00::1'],
  ipFamilies: ['IPv4', 'IPv6'],
  ipFamilyPolicy: 'RequireDualStack',
}
const local = { ...balancer, externalTrafficPolicy: 'Local', healthCheckNodePort: 30_001 }
const changes: Record<string, [before: Partial<ServiceSpec>, after: Partial<ServiceSpec>, ...wrong: string[]]> = {
  'lets a service gain a family': [v4, both],
  'lets a service release its second family': [both, v4],
  'rejects the release of a family with another policy': [
    both,
    { ...v4, ipFamilyPolicy: 'PreferDualStack' },
    'spec.ipFamilyPolicy Invalid',
    'spec.ipFamilyPolicy Invalid',
  ],
  'refuses another second address': [
    both,
    { ...both, clusterIPs: ['10.0.0.1', 'fd00::2'] },
    'spec.clusterIPs[1] Invalid',
  ],
  'refuses to become headless': [
    v4,
    { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] },
    'spec.clusterIPs[0] Invalid',
  ],
  'lets a headless service change families': [
    { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] },
    { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv6'] },
  ],
  'lets several protocols stay, and become those of a load balancer': [
    { ports: twoProtocols },
    { ...balancer, ports: twoProtocols },
  ],
  'refuses a second protocol for a load balancer': [
    balancer,
    { ...balancer, ports: twoProtocols },
    'spec.ports Invalid',
  ],
  'rejects a changed port for health checks': [
    local,
    { ...local, healthCheckNodePort: 30_002 },
    'spec.healthCheckNodePort Forbidden',
  ],
}
for (const [title, [before, after, ...wrong]] of Object.entries(changes))
  validation(title, () => {
    const [sent, stored] = [after, before].map(change => ({ spec: { ...base, ...change } }) as Service)
    assert.equal(wrongIn(validateServiceUpdate(sent!, stored!, names)), wrong)
  })

const strict = serviceNames(new Vendor(profileAtVersion(kubernetesProfile, '1.36')!), { strictAddresses: true })
const ambiguous = {
  ...balancer,
  clusterIP: '010.0.0.1',
  clusterIPs: ['010.0.0.1'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  externalIPs: ['010.0.0.2'],
  loadBalancerSourceRanges: [' 10.1.0.7/24'],
}
const ambiguousFields = ['spec.clusterIPs[0]', 'spec.externalIPs[0]', 'spec.LoadBalancerSourceRanges[0]']
validation('ambiguous addresses are refused where addresses are strict, and may stay where they are stored', () => {
  const service = { spec: { ...base, ...ambiguous } } as Service
  assert.equal(wrongIn(validateNewService(service, names)), [])
  const invalid = ambiguousFields.map(field => `${field} Invalid`)
  assert.equal(wrongIn(validateNewService(service, strict)), invalid)
  assert.equal(wrongIn(validateServiceUpdate(service, service, strict)), [])
  const moved = { spec: { ...service.spec, loadBalancerSourceRanges: ['10.9.0.0/16', '10.1.0.7/24'] } } as Service
  assert.equal(wrongIn(validateServiceUpdate(moved, service, strict)), [])
})

validation('every invalid range of the old annotation is reported, unless it is the stored one', () => {
  const annotated = (ranges: string) => {
    const metadata = { name: 'web', annotations: { [strict.sourceRangesAnnotation]: ranges } }
    return { metadata, spec: { ...base, ...balancer } } as Service
  }
  const sent = annotated('foo, 10.0.0.0/8, 10.1.0.7/24')
  const found = validateNewService(sent, strict)
  assert.equal(wrongIn(found), [`${annotation} Invalid`, `${annotation} Invalid`])
  assert.match(found[0]?.detail ?? '', 'must be a valid CIDR value')
  assert.equal(wrongIn(validateServiceUpdate(sent, sent, strict)), [])
  assert.is(validateServiceUpdate(sent, annotated('foo'), strict).length, 2)
})
validation('addresses of a load balancer need its type since 1.29, even if they do not change', () => {
  const at = (version: string) => serviceNames(new Vendor(profileAtVersion(kubernetesProfile, version)!))
  const service = (type: string) =>
    ({ spec: { ...base, type }, status: { loadBalancer: { ingress: [{ hostname: 'a.example' }] } } }) as Service
  const wrongAt = (version: string, type: string) =>
    wrongIn(validateServiceStatus(service(type), service(type), at(version)))
  assert.equal(wrongAt('1.28', 'ClusterIP'), [])
  assert.equal(wrongAt('1.29', 'ClusterIP'), ['status.loadBalancer.ingress Forbidden'])
  assert.equal(wrongAt('1.29', 'LoadBalancer'), [])
})
validation('a load balancer may have the port of the node agent since 1.33', () => {
  const service = { spec: { ...base, ...balancer, ports: [{ ...port, port: 10_250 }] } } as Service
  const at = (version: string) => serviceNames(new Vendor(profileAtVersion(kubernetesProfile, version)!))
  assert.equal(wrongIn(validateNewService(service, at('1.32'))), ['spec.ports[0] Invalid'])
  assert.equal(wrongIn(validateNewService(service, at('1.33'))), [])
})
validation.run()

import { ApiError, type ApiObject, definePlugin } from 'orch/sdk'
import type { Service, ServiceSpec } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { networking } from '../plugin.js'

type StoredService = ApiObject & Service
/** The plugin requires namespaces; these tests need none. */
const namespacesStandIn = definePlugin({ name: 'namespaces', register() {} })

async function withServer(
  test: (server: TestServer) => Promise<void>,
  options: Record<string, unknown> = {},
): Promise<void> {
  const server = await startServer({ plugins: [namespacesStandIn, networking(options)] })
  try {
    await test(server)
  } finally {
    await server.stop()
  }
}
const servicesOf = ({ client }: TestServer) =>
  client.resource<StoredService>({ group: '', version: 'v1', resource: 'services' }).in('default')
const create = (server: TestServer, name: string, spec: ServiceSpec) =>
  servicesOf(server).create({ metadata: { name, namespace: 'default' }, spec })
async function wrongFields(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    if (error instanceof ApiError)
      return error.details?.causes?.map(({ field, reason }) => `${field} ${reason?.slice(10)}`)
  }
  return []
}
const ports = [{ port: 80 }]

const addresses = suite('addresses of services')

addresses('come from the range and do not change', () =>
  withServer(async server => {
    const made = await create(server, 'a', { ports })
    assert.match(made.spec?.clusterIP ?? '', /^10\.0\.0\.\d+$/)
    assert.equal(made.spec?.clusterIPs, [made.spec?.clusterIP])
    assert.equal([made.spec?.ipFamilies, made.spec?.ipFamilyPolicy], [['IPv4'], 'SingleStack'])
    const { clusterIP: _, clusterIPs: __, ...rest } = made.spec ?? {}
    const updated = await servicesOf(server).update({ ...made, spec: { ...rest, selector: { a: 'b' } } })
    assert.is(updated.spec?.clusterIP, made.spec?.clusterIP)
  }),
)
addresses('that are taken or outside the range are rejected', () =>
  withServer(async server => {
    await create(server, 'a', { ports, clusterIP: '10.0.0.77' })
    assert.equal(await wrongFields(create(server, 'b', { ports, clusterIP: '10.0.0.77' })), ['spec.clusterIPs Invalid'])
    assert.equal(await wrongFields(create(server, 'b', { ports, clusterIP: '10.9.9.9' })), ['spec.clusterIPs Invalid'])
  }),
)
addresses('cannot change', () =>
  withServer(async server => {
    const made = await create(server, 'a', { ports, clusterIP: '10.0.0.77' })
    const other = { ...made.spec, clusterIP: '10.0.0.78', clusterIPs: ['10.0.0.78'] }
    assert.equal(await wrongFields(servicesOf(server).update({ ...made, spec: other })), ['spec.clusterIPs[0] Invalid'])
  }),
)
addresses('are free again when the service is gone', () =>
  withServer(async server => {
    await create(server, 'a', { ports, clusterIP: '10.0.0.77' })
    assert.is((await servicesOf(server).delete('a')).spec?.clusterIP, '10.0.0.77')
    assert.is((await create(server, 'b', { ports, clusterIP: '10.0.0.77' })).spec?.clusterIP, '10.0.0.77')
  }),
)
addresses('are unique for concurrent requests', () =>
  withServer(async server => {
    const made = await Promise.all(Array.from({ length: 40 }, (_, i) => create(server, `s${i}`, { ports })))
    assert.is(new Set(made.map(({ spec }) => spec?.clusterIP)).size, 40)
  }),
)
addresses('can be exhausted, which is reported', () =>
  withServer(
    async server => {
      // Of six addresses one belongs to the server itself.
      for (let i = 0; i < 5; i++) await create(server, `s${i}`, { ports })
      assert.equal(await wrongFields(create(server, 'more', { ports })), ['spec.clusterIPs Invalid'])
    },
    { serviceClusterIpRange: '10.7.0.0/29' },
  ),
)
addresses('are not given to headless services and names', () =>
  withServer(async server => {
    const headless = await create(server, 'a', { clusterIP: 'None', selector: { a: 'b' } })
    assert.equal(headless.spec?.clusterIPs, ['None'])
    const name = await create(server, 'b', { type: 'ExternalName', externalName: 'example.com' })
    assert.is(name.spec?.clusterIP, undefined)
  }),
)
addresses('of a dry run are not used up', () =>
  withServer(async server => {
    const object = { metadata: { name: 'a', namespace: 'default' }, spec: { ports, clusterIP: '10.0.0.77' } }
    await servicesOf(server).create(object, { dryRun: true })
    assert.is((await servicesOf(server).create(object)).spec?.clusterIP, '10.0.0.77')
  }),
)
addresses('that a dry run shows can be sent to it again, node ports outside of the range too', () =>
  withServer(async server => {
    const trial = (spec: ServiceSpec) =>
      servicesOf(server).create({ metadata: { name: 'a', namespace: 'default' }, spec }, { dryRun: true })
    const { spec: shown = {} } = await trial({ ports, type: 'NodePort' })
    assert.ok((shown.ports?.[0]?.nodePort ?? 0) > 32767)
    assert.equal((await trial(shown)).spec?.ports, shown.ports)
    assert.equal(await wrongFields(create(server, 'a', { ports: shown.ports, type: 'NodePort' })), [
      'spec.ports[0].nodePort Invalid',
    ])
  }),
)

const dual = { serviceClusterIpRange: '10.8.0.0/24,fd00:8::/112' }
addresses('of two families are allocated and released according to the policy', () =>
  withServer(async server => {
    assert.equal(await wrongFields(create(server, 'x', { ports, ipFamilies: ['IPv4', 'IPv6'] })), [
      'spec.ipFamilyPolicy Invalid',
    ])
    assert.equal(await wrongFields(create(server, 'x', { ports, clusterIP: 'bogus' })), ['spec.clusterIPs[0] Invalid'])
    const made = await create(server, 'a', { ports, ipFamilyPolicy: 'PreferDualStack' })
    assert.equal(made.spec?.ipFamilies, ['IPv4', 'IPv6'])
    const fewer = { ...made, spec: { ...made.spec, clusterIPs: [made.spec?.clusterIP ?? ''] } }
    assert.equal(await wrongFields(servicesOf(server).update(fewer)), ['spec.ipFamilyPolicy Invalid'])
    const single = { ...made, spec: { ...made.spec, ipFamilyPolicy: 'SingleStack' } }
    const down = await servicesOf(server).update(single)
    assert.equal([down.spec?.ipFamilies, down.spec?.clusterIPs], [['IPv4'], [made.spec?.clusterIP]])
    const up = await servicesOf(server).update({ ...down, spec: { ...down.spec, ipFamilyPolicy: 'RequireDualStack' } })
    assert.is(up.spec?.clusterIPs?.length, 2)
  }, dual),
)
addresses('of a family that the server does not have are rejected', () =>
  withServer(async server => {
    const cases: [ServiceSpec, ...string[]][] = [
      [{ ipFamilyPolicy: 'RequireDualStack' }, 'spec.ipFamilyPolicy Invalid'],
      [{ ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0] Invalid'],
      [{ clusterIP: 'fd00::1' }, 'spec.clusterIPs[0] Invalid'],
    ]
    for (const [spec, ...wrong] of cases)
      assert.equal(await wrongFields(create(server, 'x', { ports, ...spec })), wrong)
    const headless = await create(server, 'a', { clusterIP: 'None' })
    assert.equal([headless.spec?.ipFamilies, headless.spec?.ipFamilyPolicy], [['IPv4', 'IPv6'], 'RequireDualStack'])
  }),
)

const nodePorts = suite('ports of services on nodes')
nodePorts('are allocated, kept and released according to the type', () =>
  withServer(async server => {
    const made = await create(server, 'a', { type: 'NodePort', ports })
    const [port] = made.spec?.ports ?? []
    assert.ok((port?.nodePort ?? 0) >= 30_000 && (port?.nodePort ?? 0) <= 32_767)
    const kept = await servicesOf(server).update({ ...made, spec: { ...made.spec, ports } })
    assert.is(kept.spec?.ports?.[0]?.nodePort, port?.nodePort)
    const { externalTrafficPolicy: _, ...rest } = kept.spec ?? {}
    const internal = await servicesOf(server).update({ ...kept, spec: { ...rest, type: 'ClusterIP' } })
    assert.is(internal.spec?.ports?.[0]?.nodePort, undefined)
  }),
)
nodePorts('that are taken or outside the range are rejected', () =>
  withServer(async server => {
    await create(server, 'a', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] })
    const ask = (nodePort: number) =>
      wrongFields(create(server, 'b', { type: 'NodePort', ports: [{ port: 80, nodePort }] }))
    assert.equal(await ask(30_123), ['spec.ports[0].nodePort Invalid'])
    assert.equal(await ask(80), ['spec.ports[0].nodePort Invalid'])
  }),
)
nodePorts('belong to one service for all protocols, and are kept when the port number changes', () =>
  withServer(async server => {
    const twins = [
      { name: 'a', port: 53, protocol: 'UDP' },
      { name: 'b', port: 53, protocol: 'TCP' },
    ]
    const made = await create(server, 'a', { type: 'NodePort', ports: twins })
    const [nodePort, other] = made.spec?.ports?.map(port => port.nodePort) ?? []
    assert.is(nodePort, other)
    const sctp = [{ port: 1, protocol: 'SCTP', nodePort: nodePort! }]
    assert.equal(await wrongFields(create(server, 'b', { type: 'NodePort', ports: sctp })), [
      'spec.ports[0].nodePort Invalid',
    ])
    const moved = [{ name: 'a', port: 54, protocol: 'UDP' }]
    const changed = await servicesOf(server).update({ ...made, spec: { ...made.spec, ports: moved } })
    assert.is(changed.spec?.ports?.[0]?.nodePort, nodePort)
    const clash = [
      { name: 'a', port: 1, nodePort: 30_555 },
      { name: 'b', port: 2, protocol: 'UDP', nodePort: 30_555 },
    ]
    assert.equal(await wrongFields(create(server, 'c', { type: 'NodePort', ports: clash })), [
      'spec.ports[1].nodePort Invalid',
    ])
  }),
)
nodePorts('and other fields of a type are dropped with it, unless the client sets others', () =>
  withServer(async server => {
    const balanced = await create(server, 'a', { type: 'LoadBalancer', ports })
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
    const shown = await servicesOf(server).updateSubresource('status', { ...balanced, status })
    const moved = [{ ...shown.spec?.ports?.[0], port: 81 }]
    const asked = [{ port: 81, nodePort: 32_766 }]
    const become = (ports: ServiceSpec['ports'] & {}) => ({
      ...shown,
      spec: { ...shown.spec, type: 'ClusterIP', ports },
    })
    assert.equal(await wrongFields(servicesOf(server).update(become(asked))), ['spec.ports[0].nodePort Forbidden'])
    const plain = await servicesOf(server).update(become(moved))
    assert.equal(
      [plain.spec?.ports?.[0]?.nodePort, plain.spec?.externalTrafficPolicy, plain.status?.loadBalancer],
      [undefined, undefined, {}],
    )
  }),
)
nodePorts(
  'are kept by a load balancer that no longer allocates them, and addresses are released for an external name',
  () =>
    withServer(async server => {
      const made = await create(server, 'a', { type: 'LoadBalancer', ports })
      const spec = { ...made.spec, ports, allocateLoadBalancerNodePorts: false }
      const kept = await servicesOf(server).update({ ...made, spec })
      assert.is(kept.spec?.ports?.[0]?.nodePort, made.spec?.ports?.[0]?.nodePort)
      const { clusterIPs: _, ...rest } = kept.spec ?? {}
      const named = { ...rest, type: 'ExternalName', externalName: 'example.com' }
      const elsewhere = await servicesOf(server).update({ ...kept, spec: named })
      assert.equal([elsewhere.spec?.clusterIP, elsewhere.spec?.ports?.[0]?.nodePort], [undefined, undefined])
    }),
)
nodePorts('include one for health checks if only local endpoints are used', () =>
  withServer(async server => {
    const made = await create(server, 'a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports })
    assert.ok((made.spec?.healthCheckNodePort ?? 0) >= 30_000)
    assert.is(made.spec?.allocateLoadBalancerNodePorts, true)
    const outside: ServiceSpec = { ...made.spec, clusterIP: '', clusterIPs: [], ports, healthCheckNodePort: 80 }
    assert.equal(await wrongFields(create(server, 'b', outside)), ['spec.healthCheckNodePort Invalid'])
  }),
)

addresses.run()
nodePorts.run()

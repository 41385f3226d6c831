import type { Service } from 'orch/sdk/core'
import { makeNamespace, startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAddressName } from '../ip-addresses/resource.js'
import type { IPAddress } from '../ip-addresses/schema.js'
import { networking } from '../plugin.js'
import { statusStrategy } from './resource.js'
import type { ServiceCIDR } from './schema.js'
import { isNeeded } from './service-cidr-loop.js'
import { checkRange, validateServiceCidr, validateServiceCidrUpdate } from './validation.js'

const group = 'networking.k8s.io'
async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
  const plugins = ['orch/plugins/namespaces', networking] as const
  const server = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.36', plugins })
  try {
    await makeNamespace(server, 'town')
    await run(server)
  } finally {
    await server.stop()
  }
}
const cidrsOf = ({ client }: TestServer) =>
  client.resource<ServiceCIDR>({ group, version: 'v1', resource: 'servicecidrs' })
const addressesOf = ({ client }: TestServer) =>
  client.resource<IPAddress>({ group, version: 'v1', resource: 'ipaddresses' })
const servicesOf = ({ client }: TestServer) =>
  client.resource<Service>({ group: '', version: 'v1', resource: 'services' }).in('town')
const spec = (clusterIP: string) => ({ clusterIP, ports: [{ port: 80 }] })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error: Error) => error.message,
  )

const ranges = suite('ranges of Services')

ranges('provide addresses, and remain until no address needs them', () =>
  withServer(async server => {
    const [cidrs, services] = [cidrsOf(server), servicesOf(server)]
    const first = await cidrs.waitFor('kubernetes', ({ status }) => (status?.conditions ?? []).length > 0)
    assert.equal(first.spec, { cidrs: ['10.0.0.0/24'] })
    assert.match(
      await failure(services.create({ metadata: { name: 'a' }, spec: spec('10.77.0.5') })),
      'not in the valid range',
    )
    await cidrs.create({ metadata: { name: 'more' }, spec: { cidrs: ['10.77.0.0/28'] } })
    await cidrs.waitFor('more', ({ status, metadata }) =>
      Boolean(status?.conditions?.length && metadata?.finalizers?.length),
    )
    await services.create({ metadata: { name: 'a' }, spec: spec('10.77.0.5') })
    assert.equal((await addressesOf(server).get('10.77.0.5')).spec?.parentRef, {
      resource: 'services',
      namespace: 'town',
      name: 'a',
    })
    await cidrs.delete('more')
    const ending = await cidrs.waitFor('more', ({ status }) => status?.conditions?.[0]?.status === 'False')
    assert.is(ending.status?.conditions?.[0]?.reason, 'Terminating')
    assert.match(
      await failure(services.create({ metadata: { name: 'b' }, spec: spec('10.77.0.6') })),
      'not in the valid range',
    )
    await services.delete('a')
    assert.is(await addressesOf(server).find('10.77.0.5'), undefined)
  }),
)

ranges(
  'have objects for their addresses, which are recreated if deleted, and not touched if they belong to others',
  () =>
    withServer(async server => {
      const [addresses, services] = [addressesOf(server), servicesOf(server)]
      const parentRef = { resource: 'services', namespace: 'town', name: 'other' }
      await addresses.create({ metadata: { name: '10.0.0.9' }, spec: { parentRef } })
      assert.match(
        await failure(services.create({ metadata: { name: 'a' }, spec: spec('10.0.0.9') })),
        'already allocated',
      )
      await services.create({ metadata: { name: 'a' }, spec: spec('10.0.0.8') })
      const made = await addresses.get('10.0.0.8')
      await addresses.delete('10.0.0.8')
      const again = await addresses.waitFor('10.0.0.8', ({ metadata }) => metadata?.uid !== made.metadata?.uid)
      assert.equal(again.spec?.parentRef, { ...parentRef, name: 'a' })
      await services.delete('a')
      assert.is(await addresses.find('10.0.0.8'), undefined)
      assert.equal((await addresses.get('10.0.0.9')).spec?.parentRef, parentRef)
    }),
)

ranges('are needed by addresses that no other range has', () => {
  const cidr = (name: string, ...cidrs: string[]) => ({ apiVersion: '', kind: '', metadata: { name }, spec: { cidrs } })
  const small = cidr('small', '10.1.0.0/28')
  const isKept = (others: ReturnType<typeof cidr>[], ...addresses: string[]) =>
    isNeeded(small, [small, ...others], addresses)
  assert.ok(isKept([], '10.1.0.5'))
  assert.not.ok(isKept([], '10.2.0.5'))
  assert.not.ok(isKept([cidr('large', '10.1.0.0/16')], '10.1.0.5'))
  assert.ok(isKept([cidr('half', '10.1.0.0/29')], '10.1.0.9'))
  assert.not.ok(isKept([cidr('half', '10.1.0.0/29')], '10.1.0.5'))
})

const forms: Record<string, boolean> = {
  '10.0.0.0/24': true,
  '10.0.0.1/24': false,
  '010.0.0.0/24': false,
  '10.0.0.0/024': false,
  'fd00::/112': true,
  'FD00::/112': false,
  '::ffff:10.0.0.0/112': false,
  '0:0:0:0:0:FFFF:0a00:0/112': false,
  '::ffff:0:0:0/96': true,
  '10.0.0.0': false,
}
for (const [range, isRight] of Object.entries(forms))
  ranges(`${isRight ? 'may be' : 'may not be'} ${range}`, () => assert.is(checkRange(range, 'f').length === 0, isRight))

ranges('are at most one per family, of which the second may be added later', () => {
  const fields = (errors: readonly { field: string }[]) => errors.map(({ field }) => field)
  const cidr = (...cidrs: string[]): ServiceCIDR => ({ spec: { cidrs } })
  assert.equal(fields(validateServiceCidr(cidr())), ['spec.cidrs'])
  assert.equal(fields(validateServiceCidr(cidr('10.0.0.0/24', '10.1.0.0/24'))), ['spec.cidrs'])
  const both = cidr('10.0.0.0/24', 'fd00::/112')
  assert.equal(validateServiceCidrUpdate(both, cidr('10.0.0.0/24'), true), [])
  assert.equal(fields(validateServiceCidrUpdate(both, cidr('10.0.0.0/24'), false)), ['spec.cidrs'])
  assert.equal(fields(validateServiceCidrUpdate(cidr('10.1.0.0/24'), cidr('10.0.0.0/24'), true)), ['spec.cidrs[0]'])
})

ranges('have addresses with names in canonical form', () => {
  assert.equal(
    ['10.0.0.1', '010.0.0.1', 'fd00::1', 'FD00::1', 'x'].map(name => checkAddressName(name).length),
    [0, 1, 0, 1, 1],
  )
  const mapped = ['::ffff:1.2.3.4', '::ffff:102:304', '0:0:0:0:0:ffff:102:304']
  assert.equal(
    mapped.map(name => checkAddressName(name).length),
    [1, 1, 1],
  )
  assert.equal(
    mapped.map(name => checkAddressName(name, true).length),
    [0, 1, 1],
  )
})

ranges('reset what the path of the status does not write, which apply to it never owns since 1.36', () => {
  assert.equal(statusStrategy(true).resetFields, ['spec', 'metadata'])
  assert.equal(statusStrategy(false).resetFields, [])
  for (const isReset of [true, false]) {
    const draft: ServiceCIDR = { metadata: { labels: { sent: '' } }, spec: { cidrs: ['10.1.0.0/24'] } }
    const stored: ServiceCIDR = { metadata: { labels: { stored: '' } }, spec: { cidrs: ['10.0.0.0/24'] } }
    statusStrategy(isReset).prepareForUpdate(draft, stored, {} as never)
    assert.equal(draft, stored)
  }
})

ranges.run()

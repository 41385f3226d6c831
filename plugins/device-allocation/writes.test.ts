import type { ApiError } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DeviceClass } from './device-classes/schema.js'
import type { ResourceClaim } from './resource-claims/schema.js'

const writes = suite('writes of claims, templates and classes')
const collection = (resource: string) => ({ group: 'resource.k8s.io', version: 'v1', resource })

const servers = new Map<string, Promise<TestServer>>()
async function withServer(kubernetesVersion: string, look: (server: TestServer) => Promise<void>) {
  const server = servers.get(kubernetesVersion) ?? startServer({ vendor: 'kubernetes', kubernetesVersion })
  servers.set(kubernetesVersion, server)
  await look(await server)
}
writes.after(async () => {
  for (const server of servers.values()) await (await server).stop()
})

/** The fields that a write is refused for. */
const refusal = (write: Promise<unknown>): Promise<string[]> =>
  write.then(
    () => [],
    (error: ApiError) => (error.details?.causes ?? []).map(({ field, reason }) => `${field} ${reason}`),
  )
const selecting = (expression: string) => ({ selectors: [{ cel: { expression } }] })
const asking = (expression = 'true', more: object = {}) => ({
  devices: {
    requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...selecting(expression), ...more } }],
  },
})
const at = 'devices.requests[0].exactly'
const compiles = `${at}.selectors[0].cel.expression FieldValueInvalid`

for (const [version, times] of [
  ['1.34', { claims: 2, templates: 2, classes: 2 }],
  ['1.36', { claims: 0, templates: 1, classes: 1 }],
] as const)
  writes(`report errors of a change as often as ${version} does`, () =>
    withServer(version, async ({ client }) => {
      const changed = async (resource: string, spec: object, other: object) => {
        const all = client.resource<object>(collection(resource))
        const objects = resource === 'deviceclasses' ? all : all.in('default')
        const stored = await objects.create({ metadata: { name: 'a' }, spec })
        const found = await refusal(objects.update({ ...stored, spec: other }))
        return found.filter(text => !text.startsWith('spec Field'))
      }
      const repeated = (text: string, count: number) => Array.from({ length: count }, () => text)
      assert.equal(
        await changed('resourceclaims', asking(), asking('device.')),
        repeated(`spec.${compiles}`, times.claims),
      )
      assert.equal(
        await changed('resourceclaimtemplates', { spec: asking() }, { spec: asking('device.') }),
        repeated(`spec.spec.${compiles}`, times.templates),
      )
      assert.equal(
        await changed('deviceclasses', selecting('true'), selecting('device.')),
        repeated('spec.selectors[0].cel.expression FieldValueInvalid', times.classes),
      )
    }),
  )

writes('compile new selectors with the libraries of the version before', () =>
  withServer('1.36', async ({ client }) => {
    const classes = client.resource<DeviceClass>(collection('deviceclasses'))
    const create = (expression: string) =>
      refusal(classes.create({ metadata: { name: 'b' }, spec: selecting(expression) }))
    assert.equal(await create('isImage("a/b")'), ['spec.selectors[0].cel.expression FieldValueInvalid'])
    assert.equal(await create('isSemver("1.2.3")'), [])
  }),
)

const tolerations = [{ key: 'k', operator: 'Exists' }]
const time = '2026-01-01T00:00:00Z'
const allocated: ResourceClaim['status'] = {
  allocation: {
    devices: { results: [{ request: 'r', driver: 'd.io', pool: 'p', device: 'd', tolerations }] },
    allocationTimestamp: time,
  },
}
const missing = ['spec.devices.constraints[0].matchAttribute FieldValueRequired']
for (const [version, wanted] of [
  ['1.34', { requested: tolerations, distinct: [], allocated: tolerations, time: undefined }],
  ['1.35', { requested: undefined, distinct: missing, allocated: tolerations, time }],
  ['1.36', { requested: tolerations, distinct: [], allocated: tolerations, time }],
] as const)
  writes(`drop the fields of gates that are off as ${version} does`, () =>
    withServer(version, async ({ client }) => {
      const claims = client.resource<ResourceClaim>(collection('resourceclaims')).in('default')
      const spec = asking('true', { tolerations })
      const claim = await claims.create({ metadata: { name: 'b' }, spec })
      const constraints = [{ distinctAttribute: 'd.io/x' }]
      const distinct = { metadata: { name: 'c' }, spec: { devices: { ...spec.devices, constraints } } }
      const refused = await refusal(claims.create(distinct))
      const { status } = await claims.updateSubresource('status', { ...claim, status: allocated })
      assert.equal(
        {
          requested: claim.spec.devices?.requests?.[0]?.exactly?.tolerations,
          distinct: refused,
          allocated: status?.allocation?.devices?.results?.[0]?.tolerations,
          time: status?.allocation?.allocationTimestamp,
        },
        wanted,
      )
    }),
  )

writes.run()

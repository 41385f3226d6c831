import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import config from '../../orch.config.js'
import { type ServerUnderTest, withServer } from './with-server.js'

const api = '/apis/resource.k8s.io/v1'
const claims = `${api}/namespaces/default/resourceclaims`
const patch = { 'content-type': 'application/merge-patch+json' }
const allocation = { devices: { results: [{ request: 'r', driver: 'd.example', pool: 'p', device: 'gpu-0' }] } }
const claim = (exactly: object = {}) => ({
  metadata: { name: 'c' },
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...exactly } }] } },
})

/** A server with all plugins. */
const world = (run: (server: ServerUnderTest) => Promise<void>, options: Record<string, unknown> = {}) =>
  withServer({ vendor: 'kubernetes', kubernetesVersion: '1.36', plugins: config.plugins, options }, run)
const fields = (json: unknown) =>
  ((json as { details?: { causes?: { field: string; reason: string }[] } }).details?.causes ?? []).map(
    ({ field, reason }) => `${field} ${reason}`,
  )

const devices = suite('claims for devices')

devices('may select devices by expressions', () =>
  world(async ({ ask }) => {
    const wants = (expression: string) => claim({ selectors: [{ cel: { expression } }] })
    const create = (expression: string) => ask('POST', `${claims}?dryRun=All`, wants(expression))
    const at = 'spec.devices.requests[0].exactly.selectors[0].cel.expression'
    for (const good of [
      'device.driver == "d.example"',
      'device.attributes["d.example"].model == "x" && device.capacity["d.example"].memory.isGreaterThan(quantity("8Gi"))',
      'cel.bind(d, device.attributes["d.example"], d.a && d.b)',
      'device.attributes["d.example"].isReady',
      'device.allowMultipleAllocations',
    ])
      assert.is((await create(good)).status, 201, good)
    for (const bad of ['device.', 'device.driver', 'device.capacity["d.example"].memory == 1', 'device.size > 1', ''])
      assert.equal(fields((await create(bad)).json), [`${at} FieldValueInvalid`], bad)
  }),
)

devices('are allocated by users with the permission, in all namespaces', () =>
  world(async ({ ask }) => {
    const role = {
      metadata: { name: 'writer' },
      rules: [{ apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/status'], verbs: ['*'] }],
    }
    const binding = {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
    }
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    assert.is((await ask('POST', `${rbac}/clusterroles`, role)).status, 201)
    assert.is((await ask('POST', `${rbac}/clusterrolebindings`, binding)).status, 201)
    assert.is((await ask('POST', claims, claim())).status, 201)
    const asEve = { ...patch, 'impersonate-user': 'eve' }
    const write = (status: object, headers: Record<string, string>) =>
      ask('PATCH', `${claims}/c/status`, { status }, headers)
    const refused = await write({ allocation }, asEve)
    assert.is(refused.status, 422)
    assert.equal(fields(refused.json), ['status.allocation FieldValueForbidden'])
    assert.is((await write({ allocation }, patch)).status, 200)
    // The status of devices may be written only with the permission for that driver.
    const said = { devices: [{ driver: 'd.example', pool: 'p', device: 'gpu-0', data: { temperature: 40 } }] }
    assert.equal(fields((await write(said, asEve)).json), ['status.devices FieldValueForbidden'])
    const rules = [
      ...role.rules,
      {
        apiGroups: ['resource.k8s.io'],
        resources: ['resourceclaims/driver'],
        resourceNames: ['d.example'],
        verbs: ['arbitrary-node:patch'],
      },
    ]
    assert.is((await ask('PATCH', `${rbac}/clusterroles/writer`, { rules }, patch)).status, 200)
    assert.is((await write(said, asEve)).status, 200)
  }),
)

devices('are converted between versions that nest their fields differently', () =>
  world(
    async ({ ask }) => {
      const made = await ask('POST', claims, claim())
      assert.is(made.status, 201)
      const old = await ask('GET', claims.replace('/v1/', '/v1beta1/').concat('/c'))
      assert.equal((old.json as never as { spec: unknown }).spec, {
        devices: { requests: [{ name: 'r', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 }] },
      })
    },
    { runtimeConfig: { 'resource.k8s.io/v1beta1': 'true' } },
  ),
)
devices.run()

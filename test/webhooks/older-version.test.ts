import { namespaces } from 'orch/plugins/namespaces'
import { webhooks } from 'orch/plugins/webhooks'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withWorld } from './start-world.js'

const older = suite('the older version of webhook configurations')
const minimal = { name: 'a.acme.test', clientConfig: { service: { namespace: 'n', name: 's' } } }

older('has defaults of its own, is deprecated, and is stored as the newer one', () =>
  withWorld(async world => {
    const path = (version: string) => `/apis/${world.group}/${version}/mutatingwebhookconfigurations`
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['nothings'] }]
    const made = await world.send('POST', path('v1beta1'), {
      metadata: { name: 'old' },
      webhooks: [{ ...minimal, rules }],
    })
    assert.is(made.status, 201)
    assert.match(made.warnings, /v1beta1 MutatingWebhookConfiguration is deprecated in v1.16\+, unavailable in v1.22\+/)
    const [webhook] = made.body.webhooks
    assert.equal(webhook, {
      name: 'a.acme.test',
      clientConfig: { service: { namespace: 'n', name: 's', port: 443 } },
      rules: [{ ...rules[0], scope: '*' }],
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      namespaceSelector: {},
      objectSelector: {},
      sideEffects: 'Unknown',
      timeoutSeconds: 30,
      admissionReviewVersions: ['v1beta1'],
      reinvocationPolicy: 'Never',
    })
    const read = await world.send('GET', `${path('v1')}/old`)
    assert.equal([read.body.apiVersion, read.body.webhooks, read.warnings], [`${world.group}/v1`, [webhook], ''])
  }),
)
older('may be named twice and have side effects there, but not in the newer one', () =>
  withWorld(async world => {
    const post = (version: string) =>
      world.send('POST', `/apis/${world.group}/${version}/validatingwebhookconfigurations?dryRun=All`, {
        metadata: { name: 'old' },
        webhooks: [1, 2].map(() => ({ ...minimal, sideEffects: 'Some', admissionReviewVersions: ['v1'] })),
      })
    assert.is((await post('v1beta1')).status, 201)
    const { status, body } = await post('v1')
    assert.is(status, 422)
    assert.equal(
      body.details.causes.map(({ field }: { field: string }) => field),
      ['webhooks[0].sideEffects', 'webhooks[1].sideEffects', 'webhooks[1].name'],
    )
  }),
)
for (const [title, runtimeConfig, expected] of [
  ['is not served where the reference has withdrawn it', {}, 404],
  ['not even when it is asked for', { 'admissionregistration.k8s.io/v1beta1': 'true' }, 404],
] as const)
  older(title, async () => {
    const server = await startServer({
      vendor: 'kubernetes',
      plugins: [namespaces, webhooks],
      options: { runtimeConfig },
    })
    const path = '/apis/admissionregistration.k8s.io/v1beta1/mutatingwebhookconfigurations'
    const { status } = await fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.token}` } })
    await server.stop()
    assert.is(status, expected)
  })

older.run()

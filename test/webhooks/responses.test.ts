import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const responses = suite('responses of webhooks')
let world: WebhookWorld
let count = 0
const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
const patch = base64([{ op: 'add', path: '/data', value: { by: 'webhook' } }])

/** Creates a ConfigMap while the webhook answers like this. */
async function answered(response: Record<string, unknown>, apiVersion?: string, path = '/town/a') {
  await world.webhook.behave(path, { is: 'answer', response, ...(apiVersion ? { apiVersion } : {}) })
  return world.create('town', `c${++count}`)
}
const validating = (changes = {}) => world.configure('Validating', 'v', [world.hook('town', 'a', changes)])
const mutating = async (changes = {}) => {
  await world.removeConfiguration('Validating', 'v')
  await world.configure('Mutating', 'm', [world.hook('town', 'a', changes)])
}

responses('the server and the webhook start', async () => {
  world = await startWorld()
  await world.namespace('town')
  await validating()
})

const denials: Record<string, [Record<string, unknown>, number, string, RegExp]> = {
  'its code and message': [
    { status: { code: 403, message: 'not here' } },
    403,
    '',
    /^admission webhook "a.acme.test" denied the request: not here$/,
  ],
  'its reason and details': [
    { status: { code: 409, reason: 'Conflict', message: 'busy', details: { causes: [{ field: 'x' }] } } },
    409,
    'Conflict',
    /busy$/,
  ],
  'its reason where it has no message': [{ status: { code: 422, reason: 'Odd' } }, 422, 'Odd', /request: Odd$/],
  'no explanation and 400 where it gives none': [{}, 400, '', /without explanation$/],
  '400 instead of a code of success': [{ status: { code: 200, message: 'fine' } }, 400, '', /fine$/],
  '400 instead of a code that is none': [{ status: { code: 7000, message: 'odd' } }, 400, '', /odd$/],
}
for (const [title, [response, code, reason, message]] of Object.entries(denials))
  responses(`a denial carries ${title}`, async () => {
    const { status, body } = await answered({ allowed: false, ...response })
    assert.equal([status, body.code, body.status, body.reason ?? ''], [code, code, 'Failure', reason])
    assert.match(body.message, message)
    assert.is((await world.send('GET', `/api/v1/namespaces/town/configmaps/c${count}`)).status, 404)
  })
responses('details of a denial are passed on', async () => {
  const details = { name: 'x', kind: 'configmaps', causes: [{ reason: 'R', message: 'M', field: 'data' }] }
  const { body } = await answered({ allowed: false, status: { code: 422, details } })
  assert.equal(body.details, details)
})
responses('warnings reach the client, also when the request is denied', async () => {
  assert.is(
    (await answered({ allowed: true, warnings: ['first', 'second'] })).warnings,
    '299 - "first", 299 - "second"',
  )
  assert.match((await answered({ allowed: false, warnings: ['careful'] })).warnings, /careful/)
})
responses('warnings without end are cut, so that the answer can still be read', async () => {
  const warnings = Array.from({ length: 1000 }, (_, i) => `${i} ${'x'.repeat(500)}`)
  const answer = await answered({ allowed: true, warnings })
  assert.is(answer.status, 201)
  assert.ok(answer.warnings.length < 5000, `${answer.warnings.length} characters`)
  assert.match(answer.warnings, /^299 - "0 xxx/)
})

const broken: Record<string, [Record<string, unknown>, string?]> = {
  'another uid': [{ uid: 'other', allowed: true }],
  'another version': [{ allowed: true }, 'admission.orch.io/v1beta1'],
  'another kind of group': [{ allowed: true }, 'v1'],
  'an answer that is no flag': [{ allowed: 'true' }],
  'a status that is no object': [{ allowed: false, status: 'no' }],
  'details that would break a header': [{ allowed: false, status: { details: { retryAfterSeconds: '1\r\nx: y' } } }],
  'warnings that are no list': [{ allowed: true, warnings: 'careful' }],
  'annotations that are no texts': [{ allowed: true, auditAnnotations: { a: 1 } }],
  'a patch of a validating webhook': [{ allowed: true, patch, patchType: 'JSONPatch' }],
  'a patch type of a validating webhook': [{ allowed: true, patchType: 'JSONPatch' }],
}
for (const [title, [response, apiVersion]] of Object.entries(broken))
  responses(`${title} is a failed call: 500, or nothing if failures are ignored`, async () => {
    await validating()
    const { status, body } = await answered(response, apiVersion)
    assert.equal([status, body.reason], [500, 'InternalError'])
    assert.match(body.message, /failed calling webhook "a\.acme\.test"/)
    await validating({ failurePolicy: 'Ignore' })
    assert.is((await answered(response, apiVersion)).status, 201)
  })
const bodies = { nothing: '', garbage: '<html>', 'half of it': '{"kind":"Admiss', 'a list': '[]', 'no response': '{}' }
for (const [title, body] of Object.entries(bodies))
  responses(`${title} instead of a review is a failed call`, async () => {
    for (const [failurePolicy, expected] of [
      ['Fail', 500],
      ['Ignore', 201],
    ] as const) {
      await validating({ failurePolicy })
      await world.webhook.behave('/town/a', { is: 'raw', body })
      assert.is((await world.create('town', `c${++count}`)).status, expected)
    }
  })
for (const status of [201, 204, 302, 404, 500])
  responses(`status ${status} is ${status === 201 ? 'as good as 200' : 'a failed call'}`, async () => {
    await validating()
    const headers = { location: `${world.webhook.url}/elsewhere` }
    await world.webhook.behave('/town/a', { is: 'raw', status, headers, body: status === 204 ? '' : '{"response":{}}' })
    const { body } = await world.create('town', `c${++count}`)
    assert.match(body.message, status === 201 ? /expected response.uid/ : /failed to call webhook/)
    assert.equal(await world.webhook.takeCalls('/elsewhere'), [], 'redirects are not followed')
  })

responses('a mutating webhook changes the object by a JSON Patch', async () => {
  await mutating()
  const { status, body } = await answered({ allowed: true, patch, patchType: 'JSONPatch' })
  assert.equal([status, body.data], [201, { by: 'webhook' }])
})
const brokenPatches: Record<string, [Record<string, unknown>, boolean]> = {
  'a patch without its type': [{ patch }, true],
  'a type without a patch': [{ patchType: 'JSONPatch' }, true],
  'an empty type': [{ patch, patchType: '' }, true],
  'another type': [{ patch, patchType: 'MergePatch' }, true],
  'a patch that is not base64': [{ patch: '%%%', patchType: 'JSONPatch' }, true],
  'a patch that is not JSON': [{ patch: base64('[{'), patchType: 'JSONPatch' }, false],
  'a patch that is no list': [{ patch: base64({ op: 'add' }), patchType: 'JSONPatch' }, false],
  'a patch that does not fit': [{ patch: base64([{ op: 'remove', path: '/nowhere' }]), patchType: 'JSONPatch' }, false],
  'a patch to another kind': [
    { patch: base64([{ op: 'replace', path: '/kind', value: 'Secret' }]), patchType: 'JSONPatch' },
    false,
  ],
  'a patch to something that is no object of the type': [
    { patch: base64([{ op: 'add', path: '/data', value: 7 }]), patchType: 'JSONPatch' },
    false,
  ],
}
for (const [title, [response, isIgnorable]] of Object.entries(brokenPatches))
  responses(
    `${title} fails the request${isIgnorable ? ', unless failures are ignored' : ', whatever the policy'}`,
    async () => {
      await mutating()
      const { status, body } = await answered({ allowed: true, ...response })
      assert.equal([status, body.reason], [500, 'InternalError'])
      await mutating({ failurePolicy: 'Ignore' })
      assert.is((await answered({ allowed: true, ...response })).status, isIgnorable ? 201 : 500)
    },
  )
responses(
  'the older version is not as strict: uid and patch type do not matter, nor whether it says what it is',
  async () => {
    await mutating({ admissionReviewVersions: ['v1beta1'] })
    const untyped = JSON.stringify({ response: { allowed: true, patch } })
    await world.webhook.behave('/town/a', { is: 'raw', body: untyped })
    assert.equal((await world.create('town', 'untyped')).body.data, { by: 'webhook' })
    for (const other of ['whatever/v3', 'admission.orch.io/v1'])
      assert.is((await answered({ allowed: true }, other)).status, 500)
    const { status, body } = await answered({ uid: 'other', allowed: true, patch })
    assert.equal([status, body.data], [201, { by: 'webhook' }])
    await world.removeConfiguration('Mutating', 'm')
    await validating({ admissionReviewVersions: ['v1beta1'] })
    const unchanged = await answered({ allowed: true, patch })
    assert.equal([unchanged.status, unchanged.body.data], [201, undefined])
  },
)
responses('the server and the webhook stop', () => world.stop())

responses.run()

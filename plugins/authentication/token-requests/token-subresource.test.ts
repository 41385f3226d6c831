import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from 'jose'
import { type ActionRequest, type ApiError, ServedLevel } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findSigningKey } from '../account-tokens/signing-keys.js'
import { gatesOf } from '../gates.js'
import { acmeNames, readerOf } from '../testing/acme.js'
import type { TokenRequest } from './schema.js'
import { tokenSubresource } from './token-subresource.js'

const level = new ServedLevel('1.23')
const gates = gatesOf(() => false)
const settings = {
  issuer: 'https://acme.test',
  issuers: ['https://acme.test'],
  audiences: ['api'],
  lookup: true,
  maxSeconds: 0,
  extendsVolumeTokens: true,
}
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signing = findSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 'test')!
const pod = (serviceAccountName: string) => ({ metadata: { name: 'p', uid: 'pod-1' }, spec: { serviceAccountName } })
const reader = readerOf({
  'pods/farm/mine': pod('robot'),
  'pods/farm/other': pod('somebody'),
  'secrets/farm/s': { metadata: { name: 's', uid: 'secret-1' } },
})
const now = Date.parse('2024-01-01T00:00:00Z')
const seconds = now / 1000

async function ask(spec: object, more: Partial<typeof settings> = {}) {
  const warnings: string[] = []
  const request = {
    body: { spec: { audiences: null, expirationSeconds: 3600, ...spec } },
    target: { metadata: { uid: 'account-1' } },
    namespace: 'farm',
    name: 'robot',
    now,
    warn: (text: string) => warnings.push(text),
  } as unknown as ActionRequest
  const { check, handlers } = tokenSubresource({ ...settings, ...more }, acmeNames, level, gates)
  const keys = () => ({ signing, legacySigning: signing, verifying: [signing.publicKey] })
  check?.(request.body as never, 'robot')
  const { object } = await handlers.create!(request, { reader, keys })
  const answer = object as TokenRequest
  return { answer, warnings, claims: decodeJwt(answer.status?.token ?? '') }
}
const refusal = (spec: object) =>
  ask(spec).then(
    () => 'none',
    (error: ApiError) => `${error.code} ${error.reason}`,
  )

const requests = suite('token requests')

requests('a token contains its account and audiences, and has the requested lifetime', async () => {
  const { claims, answer } = await ask({ audiences: ['vault'], expirationSeconds: 600 })
  assert.equal(claims, {
    iss: 'https://acme.test',
    aud: ['vault'],
    sub: 'system:serviceaccount:farm:robot',
    iat: seconds,
    nbf: seconds,
    exp: seconds + 600,
    'acme.test': { namespace: 'farm', serviceaccount: { name: 'robot', uid: 'account-1' } },
  })
  assert.is(answer.status?.expirationTimestamp, '2024-01-01T00:10:00Z')
})

requests('without audiences it is for the server', async () => {
  const { answer } = await ask({})
  assert.equal(answer.spec, { audiences: ['api'], expirationSeconds: 3600, boundObjectRef: null })
})

requests('it can be bound to a Pod of the account, or to a Secret', async () => {
  const ofPod = await ask({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'mine' } })
  assert.equal((ofPod.claims['acme.test'] as { pod: object }).pod, { name: 'mine', uid: 'pod-1' })
  const ofSecret = await ask({ boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'secret-1' } })
  assert.equal((ofSecret.claims['acme.test'] as { secret: object }).secret, { name: 's', uid: 'secret-1' })
})

const wrong: Record<string, [object, string]> = {
  'a Pod of another account': [{ kind: 'Pod', apiVersion: 'v1', name: 'other' }, '400 BadRequest'],
  'a Pod that does not exist': [{ kind: 'Pod', apiVersion: 'v1', name: 'none' }, '404 NotFound'],
  'a Pod without a name': [{ kind: 'Pod', apiVersion: 'v1' }, '400 BadRequest'],
  'an object whose name cannot be one': [{ kind: 'Secret', apiVersion: 'v1', name: 'a%b' }, '400 BadRequest'],
  'a missing Pod of no group': [{ kind: 'Pod', apiVersion: 'a/b/c', name: 'none' }, '404 NotFound'],
  'another kind': [{ kind: 'ConfigMap', apiVersion: 'v1', name: 's' }, '400 BadRequest'],
  'another group': [{ kind: 'Secret', apiVersion: 'acme.test/v1', name: 's' }, '400 BadRequest'],
  'another uid': [{ kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'x' }, '409 Conflict'],
}
for (const [what, [boundObjectRef, expected]] of Object.entries(wrong))
  requests(`it cannot be bound to ${what}`, async () => assert.is(await refusal({ boundObjectRef }), expected))

requests('its lifetime is at least ten minutes and at most 2^32 seconds', async () => {
  assert.is(await refusal({ expirationSeconds: 599 }), '422 Invalid')
  assert.is(await refusal({ expirationSeconds: 2 ** 32 + 1 }), '422 Invalid')
  assert.is(await refusal({ expirationSeconds: 2 ** 32 }), 'none')
})

requests('a lifetime above the limit of the server is shortened with a warning', async () => {
  const { claims, warnings, answer } = await ask({ expirationSeconds: 86_400 }, { maxSeconds: 7200 })
  assert.is(claims.exp, seconds + 7200)
  assert.is(answer.spec.expirationSeconds, 7200)
  assert.is(warnings.length, 1)
})

requests('the token of an automatic volume is valid for a year, but only for the server', async () => {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'mine' }
  const volume = { boundObjectRef, expirationSeconds: 3607 }
  const { claims, answer } = await ask(volume)
  assert.is(claims.exp, seconds + 365 * 24 * 3600)
  assert.is((claims['acme.test'] as { warnafter: number }).warnafter, seconds + 3607)
  assert.is(answer.status?.expirationTimestamp, '2024-01-01T01:00:07Z')
  assert.is((await ask({ ...volume, audiences: ['vault'] })).claims.exp, seconds + 3607)
  assert.is(
    (await ask({ ...volume, audiences: ['api', 'vault'] })).claims.exp,
    seconds + 3607,
    'not only for the server',
  )
  assert.is((await ask({ expirationSeconds: 3607 })).claims.exp, seconds + 3607, 'not bound to a Pod')
  assert.is((await ask(volume, { extendsVolumeTokens: false })).claims.exp, seconds + 3607)
})

requests.run()

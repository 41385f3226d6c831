import { createHmac, sign as signBytes } from 'node:crypto'
import { exportJWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acme, issuer, type Keys, keyOptions, makeAccount, publicPem, rsaKeys, sign } from './account-world.js'
import { sharedWhoAmI, withWhoAmI } from './whoami-server.js'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token with an arbitrary header, which a library would refuse to create. */
function signRaw(header: object, claims: object, { privateKey }: Keys): string {
  const head = `${encode(header)}.${encode(claims)}`
  return `${head}.${signBytes('sha256', Buffer.from(head), privateKey).toString('base64url')}`
}
const attacks = suite('attacks on service account tokens')

const keys = rsaKeys()
const thief = rsaKeys()
const shared = sharedWhoAmI(keyOptions(keys), { vendor: acme })
let robot: Promise<Awaited<ReturnType<typeof makeAccount>>> | undefined
/** The server and an account whose tokens are forged. */
async function victim() {
  const server = await shared.server()
  robot ??= makeAccount(server, 'robot')
  return { ...(await robot), whoAmI: server.whoAmI }
}
/** Asserts that each of these tokens is rejected. */
async function refusesAll(tokens: Record<string, string>): Promise<void> {
  const { whoAmI } = await victim()
  for (const [what, token] of Object.entries(tokens))
    assert.is((await whoAmI({ token })).status, 401, `a token ${what}`)
}
const now = Math.floor(Date.now() / 1000)

attacks('as a control: a valid token is accepted, whatever created it', async () => {
  const { whoAmI, claims, request } = await victim()
  assert.is((await whoAmI({ token: signRaw({ alg: 'RS256' }, claims(), keys) })).status, 200)
  assert.is((await whoAmI({ token: await request() })).status, 200)
  assert.is(claims().iss, issuer)
})

attacks('algorithm none, in any spelling, is no signature', async () => {
  const { claims } = await victim()
  const unsigned = (alg: string) => `${encode({ alg })}.${encode(claims())}.`
  await refusesAll({
    'signed none': unsigned('none'),
    'signed NONE': unsigned('NONE'),
    'signed nOnE': unsigned('nOnE'),
  })
})

attacks('algorithm confusion: the public key is not a shared secret, and a key has one algorithm', async () => {
  const { claims } = await victim()
  const hmac = (secret: string) => {
    const head = `${encode({ alg: 'HS256' })}.${encode(claims())}`
    return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
  }
  await refusesAll({
    'signed with the public key as a secret': hmac(publicPem(keys)),
    'signed with the public key as a secret, trimmed': hmac(publicPem(keys).trim()),
    'by another algorithm of the same key': await sign(claims(), keys, { alg: 'PS256' }),
    'with an unknown critical header': signRaw({ alg: 'RS256', crit: ['x'], x: 1 }, claims(), keys),
  })
})

attacks('a key in the header is ignored', async () => {
  const { claims, request } = await victim()
  const real = await request()
  const [head = '', , signature = ''] = real.split('.')
  const thiefKey = { ...(await exportJWK(thief.publicKey)), use: 'sig', alg: 'RS256' }
  const kid = JSON.parse(Buffer.from(head, 'base64url').toString()).kid
  await refusesAll({
    'signed by another key': await sign(claims(), thief),
    'signed by another key under the name of the right one': await sign(claims(), thief, { alg: 'RS256', kid }),
    'bringing its own key': await sign(claims(), thief, { alg: 'RS256', jwk: thiefKey }),
    'with the URL of its key': await sign(claims(), thief, { alg: 'RS256', jku: 'https://evil.test/keys' }),
    'with other claims and a valid signature': `${head}.${encode(claims())}.${signature}`,
  })
})

attacks('a token for another audience, or for none, is refused', async () => {
  const { claims } = await victim()
  await refusesAll({
    'for another audience': await sign(claims({ aud: 'vault' }), keys),
    'for no audience at all': await sign(claims({ aud: [] }), keys),
  })
})

attacks('a token of another issuer is refused, though a known key signed it', async () => {
  const { claims } = await victim()
  await refusesAll({
    'of another issuer': await sign(claims({ iss: 'https://evil.test' }), keys),
    'of the issuer of Secrets, without one': await sign(claims({ iss: 'acme/serviceaccount' }), keys),
  })
})

attacks('an expired or not yet valid token is refused, and one that never expires', async () => {
  const { claims } = await victim()
  await refusesAll({
    'that has expired': await sign(claims({ exp: now - 1 }), keys),
    'that never expires': await sign({ ...claims(), exp: undefined as never }, keys),
    'that is not valid yet': await sign(claims({ nbf: now + 3600 }), keys),
    'issued in the future': await sign(claims({ iat: now + 3600 }), keys),
  })
})

attacks('a token for another subject, or bound to an object that never existed, is rejected', async () => {
  const { claims, account } = await victim()
  const uid = account.metadata.uid
  const bound = (serviceaccount: object, more: object = {}) => ({
    'acme.test': { namespace: 'default', serviceaccount, ...more },
  })
  await refusesAll({
    'whose subject is somebody else': await sign(claims({ sub: 'system:serviceaccount:default:admin' }), keys),
    'of an account that never existed': await sign(
      claims({ sub: 'system:serviceaccount:default:x', ...bound({ name: 'x', uid }) }),
      keys,
    ),
    'of an earlier account of the same name': await sign(claims(bound({ name: 'robot', uid: 'old' })), keys),
    'bound to a Pod that never existed': await sign(
      claims(bound({ name: 'robot', uid }, { pod: { name: 'p', uid: 'u' } })),
      keys,
    ),
  })
})

attacks('a truncated, extended or empty token is rejected', async () => {
  const { request } = await victim()
  const real = await request()
  await refusesAll({
    'cut short': real.slice(0, -8),
    'with a suffix': `${real}x`,
    'of dots': '...',
    empty: '..',
  })
})
attacks.after(() => shared.release())

attacks('the Secret token of one account does not authenticate another', async () => {
  const keys = rsaKeys()
  await withWhoAmI(
    keyOptions(keys),
    async server => {
      const { secret, account } = await makeAccount(server, 'robot')
      const held = await secret()
      const claim = (name: string) => `acme.test/serviceaccount/${name}`
      const legacy = (changes: Record<string, string>) => ({
        iss: 'acme/serviceaccount',
        sub: 'system:serviceaccount:default:robot',
        [claim('namespace')]: 'default',
        [claim('secret.name')]: held.metadata.name ?? '',
        [claim('service-account.name')]: 'robot',
        [claim('service-account.uid')]: account.metadata.uid ?? '',
        ...changes,
      })
      const forged = {
        'signed again': legacy({}),
        'naming another account': legacy({
          [claim('service-account.name')]: 'default',
          sub: 'system:serviceaccount:default:default',
        }),
        'naming another subject': legacy({ sub: 'system:serviceaccount:default:default' }),
        'naming another Secret': legacy({ [claim('secret.name')]: 'x' }),
      }
      for (const [what, claims] of Object.entries(forged)) {
        const token = await sign(claims, keys, { alg: 'RS256', extra: 1 })
        assert.is((await server.whoAmI({ token })).status, 401, what)
      }
    },
    { vendor: acme },
  )
})

attacks.run()

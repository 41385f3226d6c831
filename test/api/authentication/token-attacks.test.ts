import { createHmac, sign as signBytes } from 'node:crypto'
import { exportJWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acme, issuer, type Keys, keyOptions, makeAccount, publicPem, rsaKeys, sign } from './account-world.js'
import { withWhoAmI } from './whoami-server.js'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token with any header, which a library would refuse to make. */
function signRaw(header: object, claims: object, { privateKey }: Keys): string {
  const head = `${encode(header)}.${encode(claims)}`
  return `${head}.${signBytes('sha256', Buffer.from(head), privateKey).toString('base64url')}`
}
const attacks = suite('attacks on service account tokens')

attacks('no forged, stolen, stale or early token gets in', async () => {
  const keys = rsaKeys()
  const thief = rsaKeys()
  const now = Math.floor(Date.now() / 1000)
  await withWhoAmI(
    keyOptions(keys),
    async server => {
      const { claims, request, account } = await makeAccount(server, 'robot')
      const unsigned = `${encode({ alg: 'none' })}.${encode(claims())}.`
      const hmac = (secret: string) => {
        const head = `${encode({ alg: 'HS256' })}.${encode(claims())}`
        return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
      }
      const real = await request()
      const [head = '', , signature = ''] = real.split('.')
      const thiefKey = { ...(await exportJWK(thief.publicKey)), use: 'sig', alg: 'RS256' }
      const kid = JSON.parse(Buffer.from(head, 'base64url').toString()).kid
      const uid = account.metadata.uid
      const forged: Record<string, string> = {
        'without a signature': unsigned,
        'without a signature, spelled NONE': unsigned.replace(encode({ alg: 'none' }), encode({ alg: 'NONE' })),
        'signed with the public key as a secret': hmac(publicPem(keys)),
        'signed with the public key as a secret, trimmed': hmac(publicPem(keys).trim()),
        'signed by another key': await sign(claims(), thief),
        'signed by another key under the name of the right one': await sign(claims(), thief, { alg: 'RS256', kid }),
        'bringing its own key': await sign(claims(), thief, { alg: 'RS256', jwk: thiefKey }),
        'telling where its key is': await sign(claims(), thief, { alg: 'RS256', jku: 'https://evil.test/keys' }),
        'by another algorithm of the same key': await sign(claims(), keys, { alg: 'PS256' }),
        'with other contents under a real signature': `${head}.${encode(claims())}.${signature}`,
        'for another audience': await sign(claims({ aud: 'vault' }), keys),
        'for no audience at all': await sign(claims({ aud: [] }), keys),
        'of another issuer': await sign(claims({ iss: 'https://evil.test' }), keys),
        'of the issuer of Secrets, without one': await sign(claims({ iss: 'acme/serviceaccount' }), keys),
        'that has expired': await sign(claims({ exp: now - 1 }), keys),
        'that never expires': await sign({ ...claims(), exp: undefined as never }, keys),
        'that is not valid yet': await sign(claims({ nbf: now + 3600 }), keys),
        'issued in the future': await sign(claims({ iat: now + 3600 }), keys),
        'whose subject is somebody else': await sign(claims({ sub: 'system:serviceaccount:default:admin' }), keys),
        'of an account that never was': await sign(
          claims({
            sub: 'system:serviceaccount:default:x',
            'acme.test': { namespace: 'default', serviceaccount: { name: 'x', uid } },
          }),
          keys,
        ),
        'of an account of the same name from before': await sign(
          claims({ 'acme.test': { namespace: 'default', serviceaccount: { name: 'robot', uid: 'old' } } }),
          keys,
        ),
        'bound to a Pod that never was': await sign(
          claims({
            'acme.test': { namespace: 'default', serviceaccount: { name: 'robot', uid }, pod: { name: 'p', uid: 'u' } },
          }),
          keys,
        ),
        'with a critical demand nobody knows': signRaw({ alg: 'RS256', crit: ['x'], x: 1 }, claims(), keys),
        'cut short': real.slice(0, -8),
        'with something behind': `${real}x`,
        'that is three dots': '...',
        'that is two empty parts': '..',
      }
      for (const [what, token] of Object.entries(forged))
        assert.is((await server.whoAmI({ token })).status, 401, `a token ${what}`)
      assert.is((await server.whoAmI({ token: signRaw({ alg: 'RS256' }, claims(), keys) })).status, 200, 'the control')
      assert.is((await server.whoAmI({ token: real })).status, 200, 'the real one')
      assert.is(claims().iss, issuer)
    },
    { vendor: acme },
  )
})

attacks('a token of the Secret of one account does not speak for another', async () => {
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

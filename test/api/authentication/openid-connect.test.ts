import { createHmac } from 'node:crypto'
import { allAuthenticated } from 'orch/sdk/identity'
import { fakeClock, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../support/rejects.js'
import type { Folder } from '../../support/temporary-folder.js'
import { publicPem, rsaKeys } from './account-world.js'
import { startIssuer, type TestIssuer } from './oidc-issuer.js'
import { type WhoAmIServer, withWhoAmI } from './whoami-server.js'

type World = WhoAmIServer & {
  readonly issuer: TestIssuer
  /** The user of a valid token with changes, or the status. */
  who(...token: Parameters<TestIssuer['token']>): Promise<string>
}
async function withIssuer(
  more: Record<string, unknown> | ((folder: Folder) => Record<string, unknown>),
  test: (world: World) => Promise<void>,
  options: Parameters<typeof withWhoAmI>[2] = {},
) {
  const issuer = await startIssuer()
  try {
    await withWhoAmI(
      folder => ({
        oidcIssuerUrl: issuer.url,
        oidcClientId: 'my-client',
        oidcCaFile: folder.write('oidc-ca.pem', issuer.caPem),
        ...(typeof more === 'function' ? more(folder) : more),
      }),
      server =>
        test({
          ...server,
          issuer,
          async who(...token) {
            const { status, user } = await server.whoAmI({ token: await issuer.token(...token) })
            return user?.name ?? String(status)
          },
        }),
      options,
    )
  } finally {
    await issuer.close()
  }
}

const oidc = suite('OpenID Connect')

oidc(
  'the user name is the sub claim after the issuer URL and #, and there are no groups, unless flags say so',
  async () => {
    await withIssuer({}, async ({ whoAmI, issuer }) => {
      const { user } = await whoAmI({ token: await issuer.token() })
      assert.equal(user, { name: `${issuer.url}#subject-1`, groups: [allAuthenticated] })
    })
  },
)

oidc('--oidc-username-claim and --oidc-username-prefix make the user name; - stands for no prefix', async () => {
  await withIssuer({ oidcUsernameClaim: 'name' }, async ({ who, issuer }) =>
    assert.is(await who(), `${issuer.url}#jane`),
  )
  await withIssuer({ oidcUsernameClaim: 'name', oidcUsernamePrefix: 'oidc:' }, async ({ who }) =>
    assert.is(await who(), 'oidc:jane'),
  )
  await withIssuer({ oidcUsernameClaim: 'name', oidcUsernamePrefix: '-' }, async ({ who }) => {
    assert.is(await who(), 'jane')
    assert.is(await who({ name: '' }), '401', 'an empty name')
    assert.is(await who({ name: 5 }), '401', 'a name that is not a string')
    assert.is(await who({ name: undefined as never }), '401', 'no name')
  })
})

oidc('an email address needs no prefix, and must not be marked as unverified', async () => {
  await withIssuer({ oidcUsernameClaim: 'email' }, async ({ who }) => {
    assert.is(await who(), 'jane@acme.test')
    assert.is(await who({ email_verified: true }), 'jane@acme.test')
    assert.is(await who({ email_verified: false }), '401')
    assert.is(await who({ email_verified: 'true' }), '401')
  })
})

oidc('--oidc-groups-claim must be a string or an array of them; --oidc-groups-prefix goes before each', async () => {
  await withIssuer({ oidcGroupsClaim: 'groups', oidcGroupsPrefix: 'oidc:' }, async ({ whoAmI, issuer, who }) => {
    const groupsOf = async (groups: unknown) => (await whoAmI({ token: await issuer.token({ groups }) })).user?.groups
    assert.equal(await groupsOf(['dev', 'qa']), ['oidc:dev', 'oidc:qa', allAuthenticated])
    assert.equal(await groupsOf(undefined), [allAuthenticated])
    assert.equal(await groupsOf('dev'), ['oidc:dev', allAuthenticated])
    for (const groups of [5, [5], { dev: true }]) assert.is(await who({ groups }), '401', JSON.stringify(groups))
  })
})

oidc('every --oidc-required-claim must be present with its value', async () => {
  await withIssuer({ oidcRequiredClaim: { tenant: 'acme', tier: 'gold' } }, async ({ who }) => {
    assert.is((await who({ tenant: 'acme', tier: 'gold' })).split('#')[1], 'subject-1')
    assert.is(await who({ tenant: 'acme' }), '401')
    assert.is(await who({ tenant: 'other', tier: 'gold' }), '401')
    assert.is(await who({ tenant: ['acme'], tier: 'gold' }), '401')
  })
})

oidc('the token must be for --oidc-client-id, of --oidc-issuer-url, and valid now', async () => {
  const now = Math.floor(Date.now() / 1000)
  await withIssuer({ oidcUsernamePrefix: '-' }, async ({ who }) => {
    assert.is(await who({ aud: ['x', 'my-client'] }), 'subject-1', 'for several')
    const refused = {
      'for another client': { aud: 'other' },
      'for nobody': { aud: [] },
      'of another issuer': { iss: 'https://evil.test' },
      'that has expired': { exp: now - 1 },
      'that never expires': { exp: undefined as never },
      'that is not valid yet': { nbf: now + 3600 },
    }
    for (const [what, claims] of Object.entries(refused)) assert.is(await who(claims), '401', `a token ${what}`)
  })
})

oidc('only keys of the issuer and allowed algorithms are accepted, whatever the token claims', async () => {
  const thief = rsaKeys()
  await withIssuer({ oidcUsernamePrefix: '-' }, async ({ who, whoAmI, issuer }) => {
    assert.is(await who({}, { keys: thief }), '401', 'another key')
    assert.is(await who({}, { keys: thief, header: { alg: 'RS256', kid: 'none-such' } }), '401', 'an unknown key')
    assert.is(await who({}, { header: { alg: 'PS256', kid: 'one' } }), '401', 'another algorithm')
    const [, body = ''] = (await issuer.token()).split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    assert.is((await whoAmI({ token: `${encode({ alg: 'none' })}.${body}.` })).status, 401, 'none')
    const head = `${encode({ alg: 'HS256', kid: 'one' })}.${body}`
    const mac = createHmac('sha256', publicPem(issuer.keys)).update(head).digest('base64url')
    assert.is((await whoAmI({ token: `${head}.${mac}` })).status, 401, 'the public key as a secret')
  })
  await withIssuer({ oidcUsernamePrefix: '-', oidcSigningAlgs: ['PS256'] }, async ({ who }) => {
    assert.is(await who({}, { header: { alg: 'PS256', kid: 'one' } }), 'subject-1', '--oidc-signing-algs')
    assert.is(await who(), '401')
  })
})

oidc('a token that does not name its key is verified with all keys', async () => {
  await withIssuer({ oidcUsernamePrefix: '-' }, async ({ who, issuer }) => {
    await issuer.publish({ two: rsaKeys(), one: issuer.keys })
    assert.is(await who({}, { header: { alg: 'RS256' } }), 'subject-1')
  })
})

oidc(
  'only the keys of the issuer are fetched, not verdicts on tokens; new keys are found and withdrawn ones dropped',
  async () => {
    const clock = fakeClock(Date.now())
    const young = rsaKeys()
    await withIssuer(
      { oidcUsernamePrefix: '-' },
      async ({ who, issuer }) => {
        for (let i = 0; i < 5; i++) assert.is(await who({ jti: String(i) }), 'subject-1')
        assert.is(issuer.requests.length, 2, 'one discovery, one fetch of keys')
        await issuer.publish({ two: young })
        const ofYoung = { keys: young, header: { alg: 'RS256', kid: 'two' } }
        for (let i = 0; i < 5; i++) assert.is(await who({ jti: `a${i}` }, ofYoung), '401')
        assert.is(issuer.requests.length, 2, 'unknown keys do not cause repeated fetches')
        await clock.advance(10_000)
        assert.is(await who({ jti: 'b' }, ofYoung), 'subject-1', 'a new key')
        assert.is(await who({ jti: 'c' }), '401', 'the old one')
        assert.is(issuer.requests.length, 4)
      },
      { clock },
    )
  },
)

oidc('withdrawn keys are dropped after a while, even if no new ones are used', async () => {
  const clock = fakeClock(Date.now())
  await withIssuer(
    { oidcUsernamePrefix: '-' },
    async ({ who, issuer }) => {
      const exp = Math.floor(Date.now() / 1000) + 7200
      assert.is(await who({ exp }), 'subject-1')
      await issuer.publish({})
      await clock.advance(11 * 60_000)
      assert.is(await who({ exp, jti: 'x' }), '401')
    },
    { clock },
  )
})

oidc('a result is not cached beyond the expiration of the token', async () => {
  const clock = fakeClock(Date.now())
  await withIssuer(
    { oidcUsernamePrefix: '-' },
    async ({ whoAmI, issuer }) => {
      const token = await issuer.token({ exp: Math.floor(clock.now() / 1000) + 5 })
      assert.is((await whoAmI({ token })).status, 200)
      await clock.advance(6000)
      assert.is((await whoAmI({ token })).status, 401)
    },
    { clock },
  )
})

oidc('--oidc-ca-file verifies the issuer: keys of an issuer with another certificate are not fetched', async () => {
  const { caPem } = await testAuthority()
  await withIssuer(
    folder => ({ oidcCaFile: folder.write('other.pem', caPem) }),
    async ({ who }) => assert.is(await who(), '401'),
  )
})

oidc('invalid flags fail the start', async () => {
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ oidcIssuerUrl: 'https://a.test' }, /--oidc-issuer-url and --oidc-client-id must be given together/],
    [{ oidcClientId: 'x' }, /--oidc-issuer-url and --oidc-client-id must be given together/],
    [{ oidcIssuerUrl: 'http://a.test', oidcClientId: 'x' }, /--oidc-issuer-url must be an https URL/],
    [{ oidcIssuerUrl: 'https://a.test', oidcClientId: 'x', oidcSigningAlgs: ['HS256'] }, /unknown algorithm "HS256"/],
  ]
  for (const [options, expected] of wrong)
    await rejects(
      withWhoAmI(
        () => options,
        async () => {},
      ),
      expected,
    )
})

oidc.run()

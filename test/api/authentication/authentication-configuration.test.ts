import { expressionLanguage } from 'orch/plugins/expressions'
import { orchProfile, Vendor } from 'orch/sdk'
import { allAuthenticated } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authenticationNames } from '../../../plugins/authentication/names.js'
import { readAuthenticationConfiguration } from '../../../plugins/authentication/structured/authentication-configuration.js'
import { compileMapping } from '../../../plugins/authentication/structured/claim-mapping.js'
import { expressionService } from '../../../plugins/expressions/service.js'
import { eventually } from '../../support/eventually.js'
import { rejects } from '../../support/rejects.js'
import type { Folder } from '../../support/temporary-folder.js'
import { startIssuer, type TestIssuer } from './oidc-issuer.js'
import { type WhoAmIServer, withWhoAmI } from './whoami-server.js'

const configured = suite('an authentication configuration')
const [one, two] = await Promise.all([startIssuer(), startIssuer()])
configured.after(() => Promise.all([one.close(), two.close()]).then(() => {}))

const kind = { apiVersion: 'apiserver.config.orch.io/v1', kind: 'AuthenticationConfiguration' }
const names = authenticationNames(new Vendor(orchProfile))
const vendor = new Vendor(orchProfile)
const language = expressionService(vendor).create({})
const issuerOf = ({ url, caPem }: TestIssuer) => ({ url, certificateAuthority: caPem, audiences: ['my-client'] })
const plainName = { username: { claim: 'sub', prefix: 'one:' } }
const write = (folder: Folder, content: object): string =>
  folder.write('authentication.yaml', JSON.stringify({ ...kind, ...content }))
const withConfiguration = (content: object, test: (server: WhoAmIServer) => Promise<void>, options: object = {}) =>
  withWhoAmI(folder => ({ authenticationConfig: write(folder, content), ...options }), test, {
    others: [expressionLanguage],
  })

configured('configures several issuers, each with its own audiences and claim mappings', () => {
  const second = {
    issuer: { ...issuerOf(two), audiences: ['other', 'my-client'], audienceMatchPolicy: 'MatchAny' },
    claimMappings: {
      username: { expression: "'two:' + claims.name" },
      groups: { expression: "claims.groups.map(g, 'team-' + g)" },
      uid: { claim: 'sub' },
      extra: [
        { key: 'acme.test/tenant', valueExpression: "claims.email.split('@')[1]" },
        { key: 'acme.test/none', valueExpression: "''" },
      ],
    },
  }
  const first = {
    issuer: issuerOf(one),
    claimMappings: { ...plainName, groups: { claim: 'groups', prefix: 'g:' } },
  }
  return withConfiguration({ jwt: [first, second] }, async ({ whoAmI }) => {
    assert.equal((await whoAmI({ token: await one.token() })).user, {
      name: 'one:subject-1',
      groups: ['g:dev', 'g:qa', allAuthenticated],
    })
    assert.equal((await whoAmI({ token: await two.token({ aud: 'other' }) })).user, {
      name: 'two:jane',
      groups: ['team-dev', 'team-qa', allAuthenticated],
      uid: 'subject-1',
      extra: { 'acme.test/tenant': ['acme.test'] },
    })
    assert.is((await whoAmI({ token: await one.token({ aud: 'other' }) })).status, 401, 'the audience of the other one')
    assert.is((await whoAmI({ token: await one.token({ iss: two.url }) })).status, 401, 'a key of the other issuer')
    assert.is((await whoAmI({ token: await two.token({ groups: [5] }) })).status, 401, 'groups that are not strings')
  })
})

configured('rejects tokens whose claims or users do not satisfy its rules', () => {
  const entry = {
    issuer: issuerOf(one),
    claimValidationRules: [
      { claim: 'tenant', requiredValue: 'acme' },
      { expression: 'claims.exp - claims.iat <= 3600', message: 'it lives too long' },
    ],
    claimMappings: { username: { expression: 'claims.email_verified ? claims.email : claims.sub' } },
    userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'a name of the system' }],
  }
  return withConfiguration({ jwt: [entry] }, async ({ whoAmI, client }) => {
    const now = Math.floor(Date.now() / 1000)
    const good = { tenant: 'acme', email_verified: true }
    const who = async (claims: object) => {
      const { user, status } = await whoAmI({ token: await one.token({ ...good, ...claims }) })
      return user?.name ?? status
    }
    assert.is(await who({}), 'jane@acme.test')
    assert.is(await who({ tenant: 'other' }), 401)
    assert.is(await who({ exp: now + 7200 }), 401)
    assert.is(await who({ email_verified: 'yes' }), 401)
    assert.is(await who({ email_verified: false, sub: 'system:admin' }), 401)
    const reviews = client.resource({ group: 'authentication.orch.io', version: 'v1', resource: 'tokenreviews' })
    const review = async (claims: object) =>
      (await reviews.create({ metadata: {}, spec: { token: await one.token({ ...good, ...claims }) } } as never)) as {
        status?: { error?: string }
      }
    assert.match((await review({ exp: now + 7200 })).status?.error ?? '', /it lives too long/)
  })
})

configured('is reloaded when it changes, and cached results are dropped', () =>
  withConfiguration(
    { jwt: [{ issuer: issuerOf(one), claimMappings: plainName }], anonymous: { enabled: false } },
    async ({ whoAmI, folder }) => {
      const token = await one.token()
      const name = async () => (await whoAmI({ token })).user?.name
      assert.is(await name(), 'one:subject-1')
      assert.is((await whoAmI({})).status, 401)
      const renamed = { username: { expression: "'new:' + claims.sub" } }
      write(folder, { jwt: [{ issuer: issuerOf(one), claimMappings: { username: { expression: 'claims.' } } }] })
      write(folder, { jwt: [{ issuer: issuerOf(one), claimMappings: renamed }], anonymous: { enabled: true } })
      await eventually('the new name', async () => (await name()) === 'new:subject-1')
      assert.is((await whoAmI({})).user?.name, 'system:anonymous')
      write(folder, { jwt: [{ issuer: issuerOf(two), claimMappings: plainName }] })
      await eventually('the end of the first issuer', async () => (await whoAmI({ token })).status === 401)
    },
  ),
)

configured('allows anonymous requests to the paths that it names, and no others', () =>
  withConfiguration(
    { anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/whoami' }] } },
    async ({ whoAmI }) => {
      const get = async (path: string) => (await whoAmI({ path })).status
      assert.is((await whoAmI({})).user?.name, 'system:anonymous')
      assert.is(await get('/livez'), 200)
      assert.is(await get('/livez?verbose'), 200)
      for (const path of ['/readyz', '/livez/', '/livez/ping', '/version', '/api'])
        assert.is(await get(path), 401, path)
    },
  ),
)

const wrong: Record<string, [content: object, why: RegExp]> = {
  'an issuer without https': [
    { jwt: [{ issuer: { url: 'http://a', audiences: ['b'] }, claimMappings: plainName }] },
    /jwt\[0\]\.issuer\.url must be an https URL/,
  ],
  'an issuer twice': [
    { jwt: [one, one].map(each => ({ issuer: issuerOf(each), claimMappings: plainName })) },
    /jwt\[1\]\.issuer\.url is already used by another entry/,
  ],
  'several audiences without a policy': [
    { jwt: [{ issuer: { ...issuerOf(one), audiences: ['a', 'b'] }, claimMappings: plainName }] },
    /jwt\[0\]\.issuer\.audienceMatchPolicy must be MatchAny/,
  ],
  'an audience twice': [
    { jwt: [{ issuer: { ...issuerOf(one), audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' } }] },
    /jwt\[0\]\.issuer\.audiences\[1\] is a duplicate/,
  ],
  'an issuer URL with a user and a query': [
    { jwt: [{ issuer: { ...issuerOf(one), url: 'https://me@a.test/?b' }, claimMappings: plainName }] },
    /jwt\[0\]\.issuer\.url must not have a user, a query or a fragment/,
  ],
  'a discovery URL that is the usual one': [
    { jwt: [{ issuer: { ...issuerOf(one), discoveryURL: `${one.url}/` }, claimMappings: plainName }] },
    /jwt\[0\]\.issuer\.discoveryURL must not be the url/,
  ],
  'duplicate rules, or rules that mix claims and expressions': [
    {
      jwt: [
        {
          issuer: issuerOf(one),
          claimMappings: plainName,
          claimValidationRules: [
            { claim: 'a', requiredValue: 'b' },
            { claim: 'a', message: 'c' },
            { expression: 'true', requiredValue: 'b' },
          ],
          userValidationRules: [{ expression: 'true' }, { expression: 'true' }],
        },
      ],
    },
    /claimValidationRules\[1\]\.message is allowed only with an expression; jwt\[0\]\.claimValidationRules\[1\]\.claim is a duplicate; jwt\[0\]\.claimValidationRules\[2\]\.requiredValue is allowed only with a claim; jwt\[0\]\.userValidationRules\[1\]\.expression is a duplicate/,
  ],
  'an extra key that is reserved for the server': [
    {
      jwt: [
        {
          issuer: issuerOf(one),
          claimMappings: { ...plainName, extra: [{ key: 'authentication.orch.io/pod-name', valueExpression: "'a'" }] },
        },
      ],
    },
    /extra\[0\]\.key must not be in the domain authentication\.orch\.io, which is reserved/,
  ],
  'a claim without prefix': [
    { jwt: [{ issuer: issuerOf(one), claimMappings: { username: { claim: 'sub' } } }] },
    /jwt\[0\]\.claimMappings\.username\.prefix is required with a claim/,
  ],
  'an invalid expression': [
    { jwt: [{ issuer: issuerOf(one), claimMappings: { username: { expression: 'claims.(' } } }] },
    /jwt\[0\]\.claimMappings\.username\.expression: /,
  ],
  'a rule that is not boolean': [
    {
      jwt: [
        { issuer: issuerOf(one), claimMappings: plainName, userValidationRules: [{ expression: 'user.username' }] },
      ],
    },
    /jwt\[0\]\.userValidationRules\[0\]\.expression: /,
  ],
  'an email address that is not verified': [
    { jwt: [{ issuer: issuerOf(one), claimMappings: { username: { expression: 'claims.email' } } }] },
    /must use claims\.email_verified/,
  ],
  'an optional email address that is not verified': [
    { jwt: [{ issuer: issuerOf(one), claimMappings: { username: { expression: "claims.?email.orValue('a')" } } }] },
    /must use claims\.email_verified/,
  ],
  'anonymous paths with anonymous access disabled': [
    { anonymous: { enabled: false, conditions: [{ path: '/livez' }] } },
    /anonymous\.conditions require anonymous.enabled to be true/,
  ],
  'an invalid path': [
    { anonymous: { enabled: true, conditions: [{ path: 'livez' }] } },
    /anonymous\.conditions\[0\]\.path must begin with \//,
  ],
  'an unknown field': [{ jwts: [] }, /jwts is not known/],
}
for (const [what, [content, why]] of Object.entries(wrong))
  configured(`is refused with ${what}`, async () => {
    const text = JSON.stringify({ ...kind, ...content })
    const { jwt } = await rejects(async () => readAuthenticationConfiguration(text, names), why).then(
      () => ({ jwt: [] }),
      () => readAuthenticationConfiguration(text, names),
    )
    // The file is valid except for an expression that does not compile.
    for (const entry of jwt) await rejects(compileMapping(entry, language, 'jwt[0]'), why)
  })

configured('cannot be combined with the flags of a single issuer', () =>
  rejects(
    withConfiguration({ jwt: [] }, async () => {}, {
      oidcIssuerUrl: one.url,
      oidcClientId: 'my-client',
      oidcGroupsClaim: 'g',
    }),
    /--oidc-issuer-url cannot be combined with --authentication-config.*--oidc-groups-claim cannot be combined/,
  ).then(() => {}),
)

configured('does not allow anonymous requests that a flag disables', () =>
  rejects(
    withConfiguration({ anonymous: { enabled: true } }, async () => {}, { anonymousAuth: false }),
    /anonymous\.enabled must not be true with --anonymous-auth=false/,
  ).then(() => {}),
)

configured.run()

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, httpTransport } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { startOrch } from '../../support/start-orch.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import {
  type Account,
  accounts,
  acme,
  decoded,
  keyOptions,
  makeAccount,
  rsaKeys,
  type Secret,
  secrets,
  sign,
} from './account-world.js'
import { startTokenWebhook } from './webhook-receiver.js'
import { withWhoAmI } from './whoami-server.js'

const policy = `apiVersion: audit/v1
kind: Policy
rules: [{ level: RequestResponse }]
`
/** The contents of a Secret. */
const hidden = 'swordfish-hunter5'
const base64 = Buffer.from(hidden).toString('base64')
const all = '/api/v1/namespaces/default/secrets'
/** Requests with it: a valid one, and others that are invalid in every way that has its own error. */
const revealing: readonly (readonly [method: string, path: string, type: string, body: string])[] = [
  ['POST', all, 'json', `{"metadata":{"name":"s"},"stringData":{"k":"${hidden}"}}`],
  ['POST', all, 'json', `{"metadata":{"name":"s"},"stringData":{"bad key":"${hidden}"}}`],
  ['POST', all, 'json', `{"metadata":{"name":"t"},"data":{"k":"${hidden}"}}`],
  ['POST', all, 'json', `{"metadata":{"name":"t"},"stringData":{"k":["${hidden}"]}}`],
  ['POST', all, 'json', `{"metadata":{"name":"t"},"stringData":{"k":${hidden}}}`],
  ['POST', all, 'yaml', `metadata: {name: t}\nstringData: {k: ${hidden}: x: [}`],
  ['PATCH', `${all}/s`, 'merge-patch+json', `{"stringData":{"k":"${hidden}","l":"${hidden}"}}`],
  ['PATCH', `${all}/s`, 'merge-patch+json', `{"stringData":${hidden}`],
  ['PATCH', `${all}/s`, 'json-patch+json', `[{"op":"test","path":"/data/k","value":"${hidden}"}]`],
  ['PATCH', `${all}/s`, 'json-patch+json', `[{"op":"add","path":"/data/k","value":{"x":"${base64}"}}]`],
  ['PATCH', `${all}/s?fieldManager=me`, 'apply-patch+yaml', `stringData: {k: ${hidden}: x: [}`],
  ['POST', '/apis/authentication.orch.io/v1/tokenreviews', 'json', `{"spec":{"token":${hidden}}}`],
]

const secrecy = suite('credentials stay secret')

secrecy(
  'no token or Secret appears in the log, the audit log, the metrics or an error, at the highest verbosity',
  async () => {
    const folder = temporaryFolder()
    const webhook = await startTokenWebhook(({ review: { spec } }) => ({
      status: spec.token.startsWith('bad')
        ? { authenticated: false, error: `no ${spec.token}` }
        : { authenticated: true },
    }))
    const auditLog = join(folder.path, 'audit.log')
    const server = await startOrch({
      flags: [
        '--v=10',
        `--token-auth-file=${folder.write('tokens.csv', 'static-hunter2,ann,1,"system:masters"')}`,
        '--enable-bootstrap-token-auth',
        `--authentication-token-webhook-config-file=${webhook.configFile(folder)}`,
        `--audit-log-path=${auditLog}`,
        `--audit-policy-file=${folder.write('policy.yaml', policy)}`,
      ],
    }).catch(async error => {
      await webhook.close()
      throw error
    })
    const caPem = readFileSync(join(server.dataDir, 'pki/ca.crt'), 'utf8')
    const as = (token: string) =>
      createClient({ transport: httpTransport({ server: server.url, caPem, credentials: { token } }) })
    const known: string[] = [hidden, 'static-hunter2', 'bad-hunter3', 'empty-hunter4', 'abcdef.0123456789hunter']
    const errors: string[] = []
    let metrics = ''
    const admin = as('static-hunter2')
    try {
      const robots = admin.resource<Account>(accounts).in('default')
      await robots.create({ metadata: { name: 'robot' } })
      const request = { spec: {} }
      const { status } = await robots.createSubresource<object, { status: { token: string } }>(
        'robot',
        'token',
        request,
      )
      const held = await eventually('the Secret', async () => (await robots.get('robot')).secrets?.[0]?.name)
      const legacy = decoded((await admin.resource<Secret>(secrets).in('default').get(held)).data?.['token'])
      known.push(status.token, legacy, `${status.token}x`)
      for (const token of known) {
        const client = as(token)
        await client
          .resource(secrets)
          .in('default')
          .list()
          .catch(error => errors.push(String(error)))
        await client.close()
        const review = { kind: 'TokenReview', spec: { token } }
        const path = '/apis/authentication.orch.io/v1/tokenreviews'
        const headers = { 'content-type': 'application/json' }
        await admin.request({ method: 'POST', path, headers, body: JSON.stringify(review) })
      }
      for (const [method, path, type, body] of revealing)
        await admin
          .request({ method, path, headers: { 'content-type': `application/${type}` }, body })
          .catch(error => errors.push(`${error} ${JSON.stringify(error.details)}`))
      metrics = await admin.request<string>({ method: 'GET', path: '/metrics', headers: {} })
    } finally {
      await admin.close()
      await server.stop()
      await webhook.close()
    }
    const audit = readFileSync(auditLog, 'utf8')
    folder.remove()
    assert.match(audit, /tokenreviews/)
    assert.match(audit, /serviceaccounts\/robot\/token/)
    assert.match(audit, /secrets\/s/)
    assert.match(metrics, /apiserver_request/)
    assert.ok(errors.length >= revealing.length - 2)
    for (const token of known)
      for (const [place, text] of Object.entries({ log: server.output(), audit, metrics, errors: errors.join() })) {
        // Only the signature makes a JWT a credential.
        const telling = token.split('.').at(-1) ?? token
        assert.not.ok(text.includes(telling), `${token.slice(0, 12)}... is in the ${place}`)
        assert.not.ok(
          text.includes(Buffer.from(token).toString('base64')),
          `${token.slice(0, 12)}... is in the ${place}`,
        )
      }
  },
)

secrecy('the audit log shows both identities of an impersonated request', async () => {
  const folder = temporaryFolder()
  const auditLog = join(folder.path, 'audit.log')
  const server = await startOrch({
    flags: [
      `--token-auth-file=${folder.write('tokens.csv', 'hunter2,ann,1,"system:masters"')}`,
      `--audit-log-path=${auditLog}`,
    ],
  })
  const caPem = readFileSync(join(server.dataDir, 'pki/ca.crt'), 'utf8')
  const client = createClient({
    transport: httpTransport({
      server: server.url,
      caPem,
      credentials: { token: 'hunter2' },
      impersonate: { user: 'jane', groups: ['system:masters'] },
    }),
  })
  try {
    await client.resource(secrets).in('default').list()
  } finally {
    await client.close()
    await server.stop()
  }
  const events = readFileSync(auditLog, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  folder.remove()
  const event = events.find(({ impersonatedUser, stage }) => impersonatedUser && stage === 'ResponseComplete')
  assert.equal([event.user.username, event.impersonatedUser.username], ['ann', 'jane'])
})

secrecy('the audit log names users of tokens that never expire or should have been replaced', async () => {
  const keys = rsaKeys()
  await withWhoAmI(
    folder => ({
      ...keyOptions(keys)(folder),
      auditLogPath: join(folder.path, 'audit.log'),
      auditPolicyFile: folder.write('policy.yaml', 'kind: Policy\nrules: [{level: Metadata}]'),
    }),
    async server => {
      const { secret, claims } = await makeAccount(server, 'robot')
      const bound = { ...(claims()['acme.test'] as object), warnafter: Math.floor(Date.now() / 1000) - 100 }
      const used = {
        legacy: decoded((await secret()).data?.['token']),
        stale: await sign(claims({ 'acme.test': bound }), keys),
        fresh: await sign(claims(), keys),
      }
      for (const [name, token] of Object.entries(used))
        for (let time = 0; time < 2; time++) await server.whoAmI({ token, headers: { 'audit-id': name } })
      const noted = (id: string) =>
        eventually(`the events of the ${id} token`, () => {
          const lines = readFileSync(join(server.folder.path, 'audit.log'), 'utf8').split('\n').slice(0, -1)
          const events = lines.map(line => JSON.parse(line)).filter(({ auditID }) => auditID === id)
          return events.length === 4 ? events.map(({ annotations }) => annotations) : undefined
        })
      for (const one of await noted('legacy'))
        assert.is(one['authentication.acme.test/legacy-token'], 'system:serviceaccount:default:robot')
      for (const one of await noted('stale'))
        assert.match(
          one['authentication.acme.test/stale-token'],
          /^subject: system:serviceaccount:default:robot, seconds after warning threshold: 1\d\d$/,
        )
      for (const one of await noted('fresh')) assert.not.match(JSON.stringify(one ?? {}), 'token')
    },
    { vendor: acme },
  )
})

secrecy.run()

import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { authorization } from 'orch/plugins/authorization'
import { expressionLanguage } from 'orch/plugins/expressions'
import type { Clock } from 'orch/sdk'
import { httpTransport } from 'orch/sdk/client'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizationConfiguration, rbac, webhook } from '../../support/authorization-configuration.js'
import { eventually } from '../../support/eventually.js'
import { startHttpsReceiver } from '../../support/https-receiver.js'
import { type Folder, temporaryFolder } from '../../support/temporary-folder.js'
import { sharedWhoAmI } from './whoami-server.js'

/** Generous, because the machine may be busy. */
const patienceMs = 60_000
/** The clock of the server runs thirty times as fast: the minute between two checks of a certificate takes two seconds. */
const clockSpeed = 30
const startedAt = Date.now()
const clock: Clock = {
  now: () => startedAt + (Date.now() - startedAt) * clockSpeed,
  after(delayMs, call) {
    const timer = setTimeout(call, Math.min(delayMs / clockSpeed, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

const [oldCa, newCa] = await Promise.all([testAuthority('old'), testAuthority('new')])
/** A webhook that allows only one user. It also receives audit events. */
async function startReviewer(allowed: string) {
  const own = temporaryFolder()
  const asked: string[] = []
  const clients: string[] = []
  let events = 0
  const receiver = await startHttpsReceiver(({ body, client }) => {
    const review = JSON.parse(body) as { kind: string; spec?: { user: string } }
    clients.push(client)
    if (review.kind === 'EventList') {
      events++
      return { code: 200, text: '' }
    }
    asked.push(review.spec!.user)
    return { code: 200, text: JSON.stringify({ ...review, status: { allowed: review.spec!.user === allowed } }) }
  })
  const stop = async () => {
    await receiver.stop()
    own.remove()
  }
  return { ...receiver, asked, clients, events: () => events, folder: own, stop }
}
const [first, second] = await Promise.all([startReviewer('ann'), startReviewer('bob')])

const uncached = { cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false }
const uncachedWebhook = (name: string, configFile: string, more: object = {}) =>
  webhook(name, configFile, { ...uncached, ...more })
const authorizers = (folder: Folder, ...list: object[]): string =>
  folder.write('authorization.yaml', authorizationConfiguration(list))
const accountKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const pemOf = (key: ReturnType<typeof accountKey>) => key.export({ type: 'sec1', format: 'pem' }) as string
const [oldKey, newKey] = [accountKey(), accountKey()]
const [oldServing, newServing] = await Promise.all([oldCa.server(), newCa.server()])

const shared = sharedWhoAmI(
  async folder => ({
    tokenAuthFile: folder.write('tokens.csv', 'one,ann,1\ntwo,bob,2\nroot,root,3,system:masters\n'),
    requestheaderClientCaFile: folder.write('proxy-ca.pem', oldCa.caPem),
    requestheaderUsernameHeaders: ['X-Remote-User'],
    clientCaFile: folder.write('client-ca.pem', newCa.caPem),
    serviceAccountKeyFile: [folder.write('account.key', pemOf(oldKey))],
    authorizationConfig: authorizers(folder, uncachedWebhook('w', first.configFile(first.folder)), rbac),
    auditWebhookConfigFile: first.configFile(first.folder),
    auditWebhookBatchMaxWait: '1s',
    tlsCertFile: folder.write('serving.pem', oldServing.certificatePem),
    tlsPrivateKeyFile: folder.write('serving.key', oldServing.keyPem),
  }),
  { others: [authorization, expressionLanguage], isGuarded: true, clock },
)
const files = suite('files that change while the server runs')
files.after(async () => {
  await shared.release()
  await Promise.all([first.stop(), second.stop()])
})

/** Sends a request with a token and returns the outcome. */
async function ask(token: string, path = '/whoami') {
  const { baseUrl } = await shared.server()
  const transport = httpTransport({ server: baseUrl, skipTlsVerify: true, credentials: { token } })
  try {
    const { status, body } = await transport({ method: 'GET', path, headers: {} })
    let text = ''
    for await (const chunk of body) text += chunk
    return { status, text }
  } finally {
    await transport.close()
  }
}
const status = async (token: string) => (await ask(token)).status
/** Whether the server reports that it refused to reload a file. */
const isRefused = async (what: string) =>
  (await ask('root', '/metrics')).text.includes(`apiserver_file_reload_refused{what="${what}"} 1`)
const until = (what: string, attempt: () => Promise<boolean>) => eventually(what, attempt, patienceMs)

files(
  'an authorization configuration: webhooks are added and removed; an invalid file or other modes are ignored',
  async () => {
    const { folder } = await shared.server()
    assert.equal([await status('one'), await status('two')], [200, 403])
    const what = 'the authorization configuration'
    folder.write('authorization.yaml', 'authorizers: [{type: ABAC}]')
    await until('the invalid file to be refused', () => isRefused(what))
    assert.equal([await status('one'), await status('two')], [200, 403])
    const config = second.configFile(second.folder)
    authorizers(folder, rbac, uncachedWebhook('other', config))
    await until('the other webhook', async () => (await status('two')) === 200 && (await status('one')) === 403)
    assert.not(await isRefused(what))
    authorizers(folder, uncachedWebhook('other', config))
    await until('a file without RBAC to be refused', () => isRefused(what))
    assert.is(await status('two'), 200)
    const about = (expression: string) => ({
      matchConditionSubjectAccessReviewVersion: 'v1',
      matchConditions: [{ expression }],
    })
    authorizers(folder, rbac, uncachedWebhook('other', config, about("request.user != 'bob'")))
    await until('a condition that the file did not have before', async () => (await status('two')) === 403)
    authorizers(folder, uncachedWebhook('w', first.configFile(first.folder)), rbac)
    await until('the first webhook', async () => (await status('one')) === 200 && (await status('two')) === 403)
  },
)

files('the client config of a webhook: another server, another certificate; an invalid one is ignored', async () => {
  const what = `client config ${first.folder.path}/webhook.yaml`
  first.folder.write('webhook-client.key', 'half a pair')
  await until('a broken key to be refused', () => isRefused(what))
  assert.is(await status('one'), 200)
  first.configFile(first.folder, { server: second.url })
  // The first authority did not sign the certificate of the second server.
  first.folder.write('webhook-ca.pem', second.caPem)
  second.configFile(second.folder)
  for (const name of ['webhook-client.pem', 'webhook-client.key'])
    first.folder.write(name, readFileSync(join(second.folder.path, name), 'utf8'))
  const before = second.events()
  await until('the other server', async () => (await status('two')) === 200 && (await status('one')) === 403)
  await until('audit events there', async () => {
    await status('two')
    return second.events() > before
  })
  assert.not(await isRefused(what))
})

files('static tokens: a removed token is rejected although it was used just before', async () => {
  const { folder } = await shared.server()
  assert.is(await status('two'), 200)
  folder.write('tokens.csv', 'root,root,3,system:masters\ntwo\n')
  await until('the invalid file to be refused', () => isRefused('static tokens'))
  assert.is(await status('two'), 200)
  folder.write('tokens.csv', 'root,root,3,system:masters\nthree,bob,2\n')
  await until('the new token', async () => (await status('three')) === 200)
  assert.is(await status('two'), 401)
})

files('authorities of the proxy and of clients, and keys of service accounts', async () => {
  const { folder, whoAmI } = await shared.server()
  const [oldProxy, newProxy] = [await oldCa.client('proxy'), await newCa.client('proxy')]
  const { caPem } = oldCa
  const asBob = { headers: { 'x-remote-user': 'bob' }, caPem }
  assert.is((await whoAmI({ certificate: oldProxy, ...asBob })).user?.name, 'bob')
  folder.write('proxy-ca.pem', 'nothing')
  folder.write('client-ca.pem', 'nothing')
  await until('broken authorities to be refused', async () => {
    await whoAmI({ certificate: oldProxy, ...asBob })
    await whoAmI({ certificate: newProxy, caPem })
    return (
      (await isRefused('authorities of the authenticating proxy')) &&
      (await isRefused('authorities of client certificates'))
    )
  })
  assert.is((await whoAmI({ certificate: oldProxy, ...asBob })).user?.name, 'bob')
  folder.write('proxy-ca.pem', newCa.caPem)
  folder.write('client-ca.pem', oldCa.caPem)
  await until('the new authority of proxies', async () => {
    const { user } = await whoAmI({ certificate: newProxy, ...asBob })
    return user?.name === 'bob'
  })
  assert.is.not((await whoAmI({ certificate: oldProxy, ...asBob })).user?.name, 'bob')
  const keys = async () => (await ask('root', '/openid/v1/jwks')).text
  const before = await keys()
  folder.write('account.key', pemOf(newKey))
  await until('the new key', async () => (await keys()) !== before)
})

files('the serving certificate', async () => {
  const { folder, baseUrl } = await shared.server()
  const { port } = new URL(baseUrl)
  const issuer = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().issuer.CN))
        socket.destroy()
      })
      socket.on('error', reject)
    })
  assert.is(await issuer(), 'old')
  folder.write('serving.pem', newServing.certificatePem)
  await until('half of the pair to be refused', () => isRefused('serving certificate'))
  assert.is(await issuer(), 'old')
  folder.write('serving.key', newServing.keyPem)
  await until('the new certificate', async () => (await issuer()) === 'new')
})

files.run()

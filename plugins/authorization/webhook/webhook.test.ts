import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { AccessAttributes } from 'orch/sdk/identity'
import { fakeClock, fakeLogger, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AuthorizationOptions } from '../options.js'
import { access, acme, acmeNames, aUser } from '../testing/acme.js'
import { checkWebhookOptions, connectWebhook } from './connect-webhook.js'

const webhook = suite('authorization webhook')
const ann = { ...aUser('ann', 'dev'), uid: '7', extra: { 'acme.test/k': ['v'] } }
const getPods = access(ann, 'get', 'pods/log', { namespace: 'farm', name: 'p' })

interface Received {
  readonly path: string | undefined
  readonly client: string | undefined
  readonly review: { apiVersion: string; kind: string; spec: Record<string, unknown> }
}
type Answer = (received: Received) => { code?: number; body?: unknown; text?: string }

const options = (more: Partial<AuthorizationOptions> = {}): AuthorizationOptions => ({
  authorizationMode: ['Webhook'],
  authorizationWebhookVersion: 'v1',
  authorizationWebhookCacheAuthorizedTtl: '5m',
  authorizationWebhookCacheUnauthorizedTtl: '30s',
  ...more,
})

/** A webhook over real TLS that demands a client certificate, and the mode that asks it. */
async function withWebhook(
  answer: Answer,
  work: (tools: Awaited<ReturnType<typeof open>>) => Promise<void>,
  more = {},
) {
  const opened = await open(answer, more)
  try {
    await work(opened)
  } finally {
    await opened.close()
  }
}
async function open(answer: Answer, more: Partial<AuthorizationOptions>) {
  const folder = await mkdtemp(join(tmpdir(), 'authorization-webhook-'))
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const received: Received[] = []
  const server = createServer(
    { cert, key, ca: authority.caPem, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString())
        const client = String((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
        const one = { path: request.url, client, review }
        received.push(one)
        const { code = 200, body, text } = answer(one)
        response.writeHead(code, { 'content-type': 'application/json' })
        response.end(text ?? JSON.stringify(body))
      })
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const own = await authority.client('orch-authorizer')
  await writeFile(join(folder, 'ca.pem'), authority.caPem)
  await writeFile(join(folder, 'client.pem'), own.certificatePem)
  await writeFile(join(folder, 'client-key.pem'), own.keyPem)
  const file = join(folder, 'webhook.yaml')
  await writeFile(
    file,
    `apiVersion: v1
kind: Config
clusters: [{name: w, cluster: {server: "https://127.0.0.1:${port}/authorize", certificate-authority: ca.pem}}]
users: [{name: u, user: {client-certificate: client.pem, client-key: client-key.pem}}]
contexts: [{name: c, context: {cluster: w, user: u}}]
current-context: c
`,
  )
  const clock = fakeClock()
  const logger = fakeLogger()
  const mode = connectWebhook(options({ authorizationWebhookConfigFile: file, ...more }), acme, acmeNames, {
    clock,
    logger,
  })
  return {
    clock,
    logger,
    received,
    /** Asks, and lets the pauses between attempts pass. */
    async decide(request: AccessAttributes) {
      const decision = Promise.resolve(mode.decide(request))
      let isDone = false
      void decision.finally(() => {
        isDone = true
      })
      while (!isDone) {
        await new Promise(resolve => setTimeout(resolve, 5))
        if (clock.pending > 0) await clock.advanceToNext()
      }
      return decision
    },
    async close() {
      await mode.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}
const allowed = { body: { status: { allowed: true, reason: 'because' } } }

webhook('asks with the identity and the attributes of the request, over TLS with its client certificate', async () => {
  await withWebhook(
    () => allowed,
    async ({ decide, received }) => {
      assert.equal(await decide(getPods), { decision: 'allow', reason: 'because' })
      const [{ path, client, review } = {} as Received] = received
      assert.is(path, '/authorize')
      assert.is(client, 'orch-authorizer')
      assert.is(`${review.apiVersion} ${review.kind}`, 'authorization.api.acme.test/v1 SubjectAccessReview')
      assert.equal(review.spec, {
        resourceAttributes: {
          namespace: 'farm',
          verb: 'get',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          name: 'p',
        },
        user: 'ann',
        uid: '7',
        groups: ['dev'],
        extra: { 'acme.test/k': ['v'] },
      })
    },
  )
})

webhook('speaks v1beta1, where groups are called group', async () => {
  await withWebhook(
    () => allowed,
    async ({ decide, received }) => {
      await decide({ user: aUser('ann', 'dev'), verb: 'get', path: '/metrics' })
      assert.match(received[0]?.review.apiVersion ?? '', '/v1beta1')
      assert.equal(received[0]?.review.spec, {
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
        user: 'ann',
        group: ['dev'],
      })
    },
    { authorizationWebhookVersion: 'v1beta1' },
  )
})

const answers: Record<string, { status: object; decision: string; error?: boolean }> = {
  'an answer that neither allows nor denies is no opinion': { status: { allowed: false }, decision: 'noOpinion' },
  'denied is a veto': { status: { allowed: false, denied: true }, decision: 'deny' },
  'allowed and denied at once is denied': { status: { allowed: true, denied: true }, decision: 'deny', error: true },
  'a decision with an evaluation error counts': {
    status: { allowed: false, evaluationError: 'half blind' },
    decision: 'noOpinion',
  },
  'a text instead of true allows nothing': { status: { allowed: 'true' }, decision: 'noOpinion' },
}
for (const [title, { status, decision, error = false }] of Object.entries(answers))
  webhook(title, async () => {
    await withWebhook(
      () => ({ body: { status } }),
      async ({ decide }) => {
        const decided = await decide(getPods)
        assert.is(decided.decision, decision)
        assert.is(decided.evaluationError !== undefined, error)
      },
    )
  })

webhook('caches allowed requests for one TTL, and all others for a shorter one', async () => {
  await withWebhook(
    ({ review }) => ({ body: { status: { allowed: review.spec['user'] === 'ann' } } }),
    async ({ decide, received, clock }) => {
      const refused = { ...getPods, user: aUser('bob') }
      for (const request of [getPods, getPods, refused, refused]) await decide(request)
      assert.is(received.length, 2)
      await clock.advance(31_000)
      for (const request of [getPods, refused]) await decide(request)
      assert.is(received.length, 3, 'the denied request is sent again')
      await clock.advance(5 * 60_000)
      await decide(getPods)
      assert.is(received.length, 4)
    },
  )
})

webhook('does not use the cached decision for another user or name', async () => {
  await withWebhook(
    () => allowed,
    async ({ decide, received }) => {
      await decide(getPods)
      await decide({ ...getPods, name: 'q' })
      await decide({ ...getPods, user: { ...ann, groups: ['dev', 'more'] } })
      assert.is(received.length, 3)
    },
  )
})

webhook('does not cache very long requests', async () => {
  await withWebhook(
    () => allowed,
    async ({ decide, received }) => {
      const long = { user: aUser('ann'), verb: 'get', path: `/${'x'.repeat(10_000)}` }
      await decide(long)
      await decide(long)
      assert.is(received.length, 2)
    },
  )
})

webhook('retries after a temporary failure of the webhook', async () => {
  let count = 0
  await withWebhook(
    () => (++count < 3 ? { code: 500, body: {} } : allowed),
    async ({ decide, received }) => {
      assert.is((await decide(getPods)).decision, 'allow')
      assert.is(received.length, 3)
    },
  )
})

webhook('has no opinion when the webhook keeps failing, reports the error, and caches nothing', async () => {
  let isBroken = true
  await withWebhook(
    () => (isBroken ? { code: 503, body: {} } : allowed),
    async ({ decide, received, logger }) => {
      const { decision, evaluationError } = await decide(getPods)
      assert.is(decision, 'noOpinion')
      assert.match(evaluationError ?? '', '503')
      assert.is(received.length, 5)
      assert.ok(logger.lines.some(({ level }) => level === 'error'))
      isBroken = false
      assert.is((await decide(getPods)).decision, 'allow')
    },
  )
})

const unusable: Record<string, ReturnType<Answer>> = {
  'a response that is not JSON': { text: '<html>' },
  'an answer without status': { body: {} },
  'a rejected request': { code: 403, body: {} },
}
for (const [what, answer] of Object.entries(unusable))
  webhook(`${what} is no opinion and is not retried`, async () => {
    await withWebhook(
      () => answer,
      async ({ decide, received }) => {
        assert.is((await decide(getPods)).decision, 'noOpinion')
        assert.is(received.length, 1)
      },
    )
  })

webhook('a Webhook mode needs a config file, and a config file needs the mode', () => {
  assert.throws(() => checkWebhookOptions(options()), '--authorization-webhook-config-file')
  assert.throws(
    () => checkWebhookOptions(options({ authorizationMode: ['RBAC'], authorizationWebhookConfigFile: 'x' })),
    '--authorization-mode',
  )
})

webhook('a missing or incomplete config file is reported at start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'authorization-webhook-'))
  const file = join(folder, 'webhook.yaml')
  const connect = () =>
    connectWebhook(options({ authorizationWebhookConfigFile: file }), acme, acmeNames, {
      clock: fakeClock(),
      logger: fakeLogger(),
    }).connect()
  const problem = () =>
    connect().then(
      () => 'none',
      error => String(error),
    )
  assert.is.not(await problem(), 'none')
  await writeFile(file, 'clusters: []\n')
  assert.is.not(await problem(), 'none')
  await rm(folder, { recursive: true })
})

webhook.run()

import { allAuthenticated } from 'orch/sdk/identity'
import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../support/rejects.js'
import { acme, issuer, makeAccount, review } from './account-world.js'
import { type ReceivedReview, type ReviewAnswer, startTokenWebhook, type TestWebhook } from './webhook-receiver.js'
import { type WhoAmIServer, withWhoAmI } from './whoami-server.js'

const jane = {
  authenticated: true,
  user: { username: 'jane', uid: '42', groups: ['dev'], extra: { scope: ['a', 'b'] } },
}

async function withWebhook(
  answer: (received: ReceivedReview) => ReviewAnswer,
  test: (world: WhoAmIServer & { readonly webhook: TestWebhook }) => Promise<void>,
  options: Record<string, unknown> = {},
  more: Parameters<typeof withWhoAmI>[2] = {},
) {
  const webhook = await startTokenWebhook(answer)
  try {
    await withWhoAmI(
      folder => ({ authenticationTokenWebhookConfigFile: webhook.configFile(folder), ...options }),
      server => test({ ...server, webhook }),
      { vendor: acme, ...more },
    )
  } finally {
    await webhook.close()
  }
}

const hook = suite('token webhook')

hook(
  '--authentication-token-webhook-config-file: it gets a v1beta1 TokenReview, with the client certificate of the file',
  async () => {
    await withWebhook(
      () => ({ status: jane }),
      async ({ whoAmI, webhook }) => {
        assert.equal((await whoAmI({ token: 'opaque' })).user, {
          name: 'jane',
          uid: '42',
          groups: ['dev', allAuthenticated],
          extra: { scope: ['a', 'b'] },
        })
        const [{ path, client, review: sent }] = webhook.received as [ReceivedReview]
        assert.equal([path, client], ['/review', 'the-api-server'])
        assert.is(sent.apiVersion, 'authentication.acme.test/v1beta1')
        assert.is(sent.kind, 'TokenReview')
        assert.equal(sent.spec, { token: 'opaque', audiences: [issuer] })
      },
    )
  },
)

hook('--authentication-token-webhook-version=v1 sends v1', async () => {
  await withWebhook(
    () => ({ status: jane }),
    async ({ whoAmI, webhook }) => {
      await whoAmI({ token: 'opaque' })
      assert.is(webhook.received[0]?.review.apiVersion, 'authentication.acme.test/v1')
    },
    { authenticationTokenWebhookVersion: 'v1' },
  )
})

hook('results, good or bad, are cached for --authentication-token-webhook-cache-ttl', async () => {
  const clock = fakeClock(Date.now())
  let isGone = false
  await withWebhook(
    ({ review: { spec } }) => ({ status: spec.token === 'good' && !isGone ? jane : { authenticated: false } }),
    async ({ whoAmI, webhook }) => {
      const statuses = async () => [(await whoAmI({ token: 'good' })).status, (await whoAmI({ token: 'bad' })).status]
      for (let i = 0; i < 3; i++) assert.equal(await statuses(), [200, 401])
      assert.is(webhook.received.length, 2)
      isGone = true
      await clock.advance(59_000)
      assert.equal(await statuses(), [200, 401])
      assert.is(webhook.received.length, 2)
      await clock.advance(1000)
      assert.equal(await statuses(), [401, 401], 'no other cache outlives the TTL')
      assert.is(webhook.received.length, 4)
    },
    { authenticationTokenWebhookCacheTtl: '1m' },
    { clock },
  )
})

hook('a rejection is 401; a review shows the error of the webhook, or a general one', async () => {
  await withWebhook(
    ({ review: { spec } }) => ({
      status: { authenticated: false, ...(spec.token === 'told' ? { error: 'it expired' } : {}) },
    }),
    async server => {
      for (const token of ['told', 'silent']) assert.is((await server.whoAmI({ token })).status, 401)
      assert.is((await server.whoAmI({ token: 'told' })).text.includes('it expired'), false)
      assert.is((await review(server, 'told'))?.error, 'it expired')
      assert.is((await review(server, 'silent'))?.error, 'invalid bearer token')
    },
  )
})

hook('a success must have a user name and lists of strings', async () => {
  const odd: Record<string, object> = {
    'no user': { authenticated: true },
    'an empty name': { authenticated: true, user: { username: '', groups: ['system:masters'] } },
    'groups that are not a list': { authenticated: true, user: { username: 'x', groups: 'system:masters' } },
    'authenticated that is not true': { authenticated: 'true', user: { username: 'x' } },
  }
  await withWebhook(
    ({ review: { spec } }) => ({ status: odd[spec.token.replaceAll('-', ' ')] ?? {} }),
    async ({ whoAmI }) => {
      for (const what of Object.keys(odd))
        assert.is((await whoAmI({ token: what.replaceAll(' ', '-') })).status, 401, what)
    },
  )
})

hook(
  'a webhook that supports audiences decides for which a token is valid; otherwise it is valid for the server',
  async () => {
    await withWebhook(
      ({ review: { spec } }) => ({ status: { ...jane, ...(spec.token === 'vault' ? { audiences: ['vault'] } : {}) } }),
      async server => {
        assert.is((await server.whoAmI({ token: 'vault' })).status, 401)
        assert.equal((await review(server, 'vault', ['vault', 'x']))?.audiences, ['vault'])
        assert.equal((await review(server, 'plain'))?.audiences, [issuer])
        assert.not.ok((await review(server, 'plain', ['vault']))?.authenticated)
      },
    )
  },
)

hook('is not called for tokens that another authenticator accepts', async () => {
  await withWebhook(
    () => ({ status: jane }),
    async server => {
      const { request } = await makeAccount(server, 'robot')
      server.webhook.received.length = 0
      assert.is((await server.whoAmI({ token: await request() })).user?.name, 'system:serviceaccount:default:robot')
      assert.is((await server.whoAmI({})).user?.name, 'system:anonymous')
      assert.equal(server.webhook.received, [])
    },
  )
})

hook('a failing webhook or an invalid answer authenticates nobody, and the answer is not disclosed', async () => {
  const answers: Record<string, ReviewAnswer> = {
    nonsense: { code: 200, text: 'hunter2 nonsense' },
    refuses: { code: 403, text: '{"kind":"Status","message":"hunter2 refuses"}' },
    nothing: { code: 200, text: '{}' },
  }
  await withWebhook(
    ({ review: { spec } }) => answers[spec.token] ?? { code: 200, text: 'null' },
    async server => {
      for (const token of Object.keys(answers)) {
        assert.is((await server.whoAmI({ token })).status, 401, token)
        const status = await review(server, token)
        assert.ok(status?.error)
        assert.not.match(JSON.stringify(status), /hunter2/)
      }
    },
  )
})

hook('a transient failure is retried', async () => {
  let failures = 2
  await withWebhook(
    () => (failures-- > 0 ? { code: 500, text: '{}' } : { status: jane }),
    async ({ whoAmI, webhook }) => {
      assert.is((await whoAmI({ token: 'opaque' })).user?.name, 'jane')
      assert.is(webhook.received.length, 3)
    },
  )
})

hook('a config file that cannot be used stops the start', async () => {
  const webhook = await startTokenWebhook(() => ({ status: jane }))
  try {
    await rejects(
      withWhoAmI(
        folder => ({ authenticationTokenWebhookConfigFile: webhook.configFile(folder, { current: 'none' }) }),
        async () => {},
      ),
      /token webhook.*no context exists with the name "none"/,
    )
    await rejects(
      withWhoAmI(
        () => ({ authenticationTokenWebhookConfigFile: '/does/not/exist' }),
        async () => {},
      ),
      /token webhook.*\/does\/not\/exist/,
    )
  } finally {
    await webhook.close()
  }
})

hook.run()

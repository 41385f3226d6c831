import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { expressionLanguage } from 'orch/plugins/expressions'
import { namespaces } from 'orch/plugins/namespaces'
import type { ApiError } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readAuthorizationConfiguration } from '../../plugins/authorization/structured/authorization-configuration.js'
import { authorizationConfiguration, rbac, webhook } from '../support/authorization-configuration.js'
import { startHttpsReceiver } from '../support/https-receiver.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const configured = suite('an authorization configuration')

interface Review {
  readonly spec: {
    readonly user: string
    readonly resourceAttributes?: { readonly verb: string; readonly name?: string }
  }
}
/** A webhook over TLS. Its answer is the status of a review; a number is the code of a failure. */
async function startWebhook(answer: (review: Review) => object | number) {
  const received: Review[] = []
  const receiver = await startHttpsReceiver(({ body }) => {
    const review = JSON.parse(body) as Review
    // Requests of control loops are reviewed, too.
    if (!review.spec.user.startsWith('system:')) received.push(review)
    const given = answer(review)
    return typeof given === 'number'
      ? { code: given, text: '{}' }
      : { code: 200, text: JSON.stringify({ ...review, status: given }) }
  })
  const folder = temporaryFolder()
  const stop = async () => {
    await receiver.stop()
    folder.remove()
  }
  return { received, configFile: receiver.configFile(folder), stop }
}
const conditions = (...expressions: string[]) => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map(expression => ({ expression })),
})

async function withAuthorizers(
  authorizers: readonly object[],
  test: (server: TestServer) => Promise<void>,
  options: object = {},
): Promise<void> {
  const folder = temporaryFolder()
  try {
    const authorizationConfig = folder.write('authorization.yaml', authorizationConfiguration(authorizers))
    const plugins = [namespaces, configuration, authentication, authorization, expressionLanguage]
    const server = await startServer({ plugins, options: { authorizationConfig, ...options } })
    try {
      await test(server)
    } finally {
      await server.stop()
    }
  } finally {
    folder.remove()
  }
}
const mapsOf = (client: Client) => client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
/** The status of reading a missing object: 404 if it is authorized. */
const codeOf = async (work: Promise<unknown>): Promise<number> => ((await rejects(work)) as ApiError).code

configured('calls webhooks and modes in order; the first opinion decides', async () => {
  const first = await startWebhook(({ spec }) => ({ allowed: spec.user === 'ann', denied: spec.user === 'eve' }))
  const second = await startWebhook(() => ({ allowed: true, reason: 'the second one' }))
  try {
    await withAuthorizers(
      [
        webhook('first', first.configFile),
        rbac,
        webhook('second', second.configFile, conditions("request.user != 'bob'")),
      ],
      async server => {
        const may = async (name: string) => codeOf(mapsOf((await server.addUser({ name })).client).get('none'))
        assert.is(await may('ann'), 404)
        assert.is(await may('eve'), 403)
        assert.is(second.received.length, 0, 'the first one had an opinion')
        assert.is(await may('jane'), 404)
        assert.is(await may('bob'), 403, 'no condition of the second one is met')
        assert.equal(
          second.received.map(({ spec }) => spec.user),
          ['jane'],
        )
      },
    )
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
})

configured('calls a webhook only for requests that match its conditions, and once for each of them', async () => {
  const asked = await startWebhook(() => ({ allowed: true }))
  try {
    await withAuthorizers(
      [
        webhook('some', asked.configFile, {
          ...conditions(
            'has(request.resourceAttributes)',
            "request.resourceAttributes.namespace == 'default' && request.resourceAttributes.verb in ['get', 'list']",
            "!('system:nodes' in request.groups)",
          ),
          unauthorizedTTL: '30s',
        }),
        rbac,
      ],
      async server => {
        const { client } = await server.addUser({ name: 'ann' })
        assert.is(await codeOf(mapsOf(client).get('none')), 404)
        assert.is(await codeOf(mapsOf(client).get('none')), 404)
        assert.is(await codeOf(mapsOf(client).delete('none')), 403)
        assert.is(await codeOf(client.resource({ group: '', version: 'v1', resource: 'namespaces' }).list()), 403)
        const node = await server.addUser({ name: 'n1', groups: ['system:nodes'] })
        assert.is(await codeOf(mapsOf(node.client).get('none')), 403)
        assert.equal(
          asked.received.map(({ spec }) => [spec.user, spec.resourceAttributes?.verb, spec.resourceAttributes?.name]),
          [['ann', 'get', 'none']],
        )
      },
    )
  } finally {
    await asked.stop()
  }
})

configured('a failing webhook is no opinion or a denial, depending on its failure policy', async () => {
  const broken = await startWebhook(() => 400)
  const generous = await startWebhook(() => ({ allowed: true }))
  try {
    for (const [failurePolicy, code] of [
      ['NoOpinion', 404],
      ['Deny', 500],
    ] as const)
      await withAuthorizers(
        [webhook('broken', broken.configFile, { failurePolicy }), webhook('generous', generous.configFile)],
        async server => {
          const { client } = await server.addUser({ name: 'ann' })
          assert.is(await codeOf(mapsOf(client).get('none')), code, failurePolicy)
        },
      )
    assert.is(generous.received.length, 1)
    // A condition that cannot be evaluated counts as a failure, too.
    await withAuthorizers(
      [
        webhook('broken', broken.configFile, {
          failurePolicy: 'Deny',
          ...conditions("request.extra['none'][0] == 'a'"),
        }),
        webhook('generous', generous.configFile),
      ],
      async server => {
        const { client } = await server.addUser({ name: 'ann' })
        assert.is(await codeOf(mapsOf(client).get('none')), 500)
      },
    )
  } finally {
    await Promise.all([broken.stop(), generous.stop()])
  }
})

const wrong: Record<string, [authorizers: readonly object[], why: RegExp]> = {
  'no authorizers': [[], /authorizers must be a list with at least one entry/],
  'an unknown type': [[{ type: 'ABAC', name: 'a' }], /authorizers\[0\]\.type must be Webhook or RBAC/],
  'a mode twice': [[rbac, { ...rbac, name: 'other' }], /authorizers\[1\].type is listed twice/],
  'a name twice': [
    [rbac, { type: 'Node', name: 'rbac' }],
    /authorizers\[1\]\.name is already used by another authorizer/,
  ],
  'a timeout that is too long': [
    [webhook('w', '/none', { timeout: '31s' })],
    /authorizers\[0\]\.webhook\.timeout must be 30s at most/,
  ],
  'a condition twice': [
    [webhook('w', '/none', conditions("request.user == 'a'", "request.user == 'a'"))],
    /authorizers\[0\]\.webhook\.matchConditions\[1\]\.expression is a duplicate/,
  ],
  'a webhook without a policy': [
    [webhook('w', '/none', { failurePolicy: undefined })],
    /authorizers\[0\]\.webhook\.failurePolicy must be NoOpinion or Deny/,
  ],
}
for (const [what, [authorizers, why]] of Object.entries(wrong))
  configured(`is refused with ${what}`, async () => {
    const text = authorizationConfiguration(authorizers)
    await rejects(
      async () => readAuthorizationConfiguration(text, ['apiserver.config.orch.io/v1 AuthorizationConfiguration']),
      why,
    )
  })

configured('stops the start with a condition about an unknown field', async () => {
  const known = await startWebhook(() => ({ allowed: true }))
  const start = withAuthorizers([webhook('w', known.configFile, conditions("request.color == 'red'"))], async () => {})
  await rejects(start, /webhook "w", matchConditions\[0\]\.expression: .*color/).finally(() => known.stop())
})

configured('cannot be combined with the flag for modes', () =>
  rejects(
    withAuthorizers([rbac], async () => {}, { authorizationMode: ['Node', 'RBAC'] }),
    /--authorization-config cannot be combined with --authorization-mode/,
  ).then(() => {}),
)

configured.run()

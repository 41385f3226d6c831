import { ApiError, type Authorizer, orchProfile, type UserInfo, Vendor } from 'orch/sdk'
import {
  type AccessAttributes,
  type AccessDecision,
  type AuthorizerDefinition,
  defineAuthorizer,
} from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Exchange } from '../contracts/exchange.js'
import { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import { AuthorizerChain, authorizeRequest } from './authorize.js'

const mode = (name: string, answer: AccessDecision | Promise<AccessDecision>) => ({
  definition: defineAuthorizer({ mode: name, authorize: () => answer }) as AuthorizerDefinition,
  services: {} as never,
})
const user: UserInfo = { name: 'jane', groups: [] }
const decide = async (...modes: ReturnType<typeof mode>[]) =>
  (await new AuthorizerChain(modes).authorize({ user, verb: 'get', path: '/x' })).decision

const chain = suite('the authorizer chain')

chain('takes the first opinion', async () => {
  assert.is(
    await decide(
      mode('A', { decision: 'noOpinion' }),
      mode('B', { decision: 'deny' }),
      mode('C', { decision: 'allow' }),
    ),
    'deny',
  )
})
chain('waits for a mode that must ask somebody, and goes on after it', async () => {
  const slow = mode('Slow', Promise.resolve({ decision: 'noOpinion', reason: 'no idea' } as const))
  assert.is(await decide(slow, mode('B', { decision: 'allow' })), 'allow')
})
const undecided: [
  title: string,
  said: Omit<AccessDecision, 'decision'>[],
  concluded: Omit<AccessDecision, 'decision'>,
][] = [
  ['says why', [{ reason: 'not mine' }], { reason: 'not mine' }],
  ['says it with all reasons', [{ reason: 'a' }, {}, { reason: 'b' }], { reason: 'a\nb' }],
  ['says what failed', [{ evaluationError: 'gone' }, { reason: 'a' }], { reason: 'a', evaluationError: 'gone' }],
  [
    'lists what failed, each once',
    [{ evaluationError: 'gone' }, { evaluationError: 'lost' }, { evaluationError: 'gone' }],
    { evaluationError: '[gone, lost]' },
  ],
]
for (const [title, said, concluded] of undecided)
  chain(`has no opinion when nobody has, and ${title}`, async () => {
    for (const later of [false, true]) {
      const modes = said.map((each, i) => {
        const decision = { ...each, decision: 'noOpinion' } as const
        return mode(`M${i}`, later ? Promise.resolve(decision) : decision)
      })
      const decision = await new AuthorizerChain(modes).authorize({ user, verb: 'get', path: '/x' })
      assert.equal(decision, { ...concluded, decision: 'noOpinion' })
    }
  })
chain('an opinion counts whatever failed before it', async () => {
  assert.is(
    await decide(mode('A', { decision: 'noOpinion', evaluationError: 'gone' }), mode('B', { decision: 'allow' })),
    'allow',
  )
})
chain('lets the masters group do everything, even with no mode at all', () => {
  const decision = new AuthorizerChain([]).authorize({
    user: { name: 'root', groups: ['system:masters'] },
    verb: 'delete',
    path: '/x',
  })
  assert.equal(decision, { decision: 'allow' })
})
chain('allows only what is allowed', async () => {
  assert.is(await new AuthorizerChain([]).allows(user, 'get', { resource: 'things' }), false)
  assert.is(
    await new AuthorizerChain([mode('A', { decision: 'allow' })]).allows(user, 'get', { resource: 'things' }),
    true,
  )
})

chain.run()

const requests = suite('authorization of a request')

/** The name that is asked about, and that the refusal tells. */
function nameAskedFor(method: string, url: string): [asked: string, told: string | undefined] {
  let asked = ''
  const authorizer = {
    authorize(access: AccessAttributes) {
      asked = access.path === undefined ? access.name : access.path
      return { decision: 'noOpinion' }
    },
  } as unknown as Authorizer
  const context = new RequestContext({ headers: {} } as unknown as Exchange, parseRequestInfo(method, url)!, 0)
  context.user = user
  try {
    authorizeRequest(context, { authorizer, vendor: new Vendor(orchProfile) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [asked, error.details?.name]
  }
  throw new Error('not refused')
}
const things = '/apis/acme.test/v1/namespaces/farm/things'

requests('a list or watch of one object by field selector is access to that object, and the refusal names it', () => {
  for (const query of ['metadata.name=a', 'metadata.name==a', 'metadata.namespace=farm,metadata.name=a'])
    for (const watch of ['', '&watch=1'])
      assert.equal(nameAskedFor('GET', `${things}?fieldSelector=${encodeURIComponent(query)}${watch}`), ['a', 'a'])
})
requests('any other selector is access to all of them', () => {
  for (const query of [
    'metadata.name!=a',
    'spec.metadata.name=a',
    'metadata.name=a%2Fb',
    'metadata.name',
    'metadata.name=..',
  ])
    assert.equal(nameAskedFor('GET', `${things}?fieldSelector=${query}`), ['', undefined], query)
})
requests('deleting a collection is never access to one object, whatever is selected', () => {
  assert.equal(nameAskedFor('DELETE', `${things}?fieldSelector=metadata.name=a`), ['', undefined])
})
requests('is no refusal when a mode failed that might have allowed it, and does not tell what failed', () => {
  const context = (answer: AccessDecision) => {
    const it = new RequestContext({ headers: {} } as unknown as Exchange, parseRequestInfo('GET', things)!, 0)
    it.user = user
    return () =>
      authorizeRequest(it, { authorizer: new AuthorizerChain([mode('A', answer)]), vendor: new Vendor(orchProfile) })
  }
  for (const decision of ['noOpinion', 'deny'] as const)
    assert.throws(
      context({ decision, evaluationError: 'secret place' }),
      (error: unknown) => error instanceof ApiError && error.code === 500 && !error.message.includes('secret'),
    )
  assert.not.throws(context({ decision: 'allow', evaluationError: 'secret place' }))
})
requests.run()

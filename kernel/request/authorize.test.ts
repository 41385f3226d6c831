import { type AccessDecision, type AuthorizerDefinition, defineAuthorizer, type UserInfo } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AuthorizerChain } from './authorize.js'

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
chain('has no opinion when nobody has, and says why', async () => {
  const decision = await new AuthorizerChain([mode('A', { decision: 'noOpinion', reason: 'not mine' })]).authorize({
    user,
    verb: 'get',
    path: '/x',
  })
  assert.equal(decision, { decision: 'noOpinion', reason: 'not mine' })
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

import type { AuthenticationAnswer } from 'orch/sdk/host'
import { type AuthenticatorDefinition, allAuthenticated, allUnauthenticated, type Credentials } from 'orch/sdk/identity'
import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import type { Exchange } from '../contracts/exchange.js'
import { AuthenticatorChain } from './authenticate.js'

/** A request with this Authorization header. */
const exchange = (authorization?: string, headers: Record<string, string> = {}) =>
  ({
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    headerValues: () => [],
    clientCertificates: () => [],
    trustedUser: undefined,
  }) as unknown as Exchange

type Answers = (credentials: Credentials) => AuthenticationAnswer | Promise<AuthenticationAnswer>
const method = (
  kind: AuthenticatorDefinition['kind'],
  authenticate: Answers,
  more: Partial<AuthenticatorDefinition> = {},
) => ({
  definition: { name: kind, kind, authenticate, ...more } as AuthenticatorDefinition,
  services: undefined as never,
})
const user = (name: string, ...groups: string[]) => ({ name, groups })
const fails = () => {
  throw new Error('wrong')
}

const clock = fakeClock()
const chainOf = (...methods: ReturnType<typeof method>[]) =>
  new AuthenticatorChain(methods, clock, ['server'], 'api.acme.test')

const chain = suite('the chain of authenticators')

chain('asks about the request before tokens, and the first success ends it', () => {
  const asked: string[] = []
  const note = (name: string, answer?: AuthenticationAnswer) => () => {
    asked.push(name)
    return answer
  }
  const all = chainOf(
    method('anonymous', note('anonymous', { user: user('nobody') })),
    method('bearer', note('bearer', { user: user('tina') })),
    method('bearer', note('second', { user: user('tom') })),
    method('request', note('request')),
  )
  assert.equal(all.authenticate(exchange('Bearer t')), { name: 'tina', groups: [allAuthenticated] })
  assert.equal(asked, ['request', 'bearer'])
})

chain('takes every token of a connection for itself', () => {
  const byToken: Record<string, string> = { 't-1': 'tina', 't-2': 'tom' }
  const all = chainOf(method('bearer', ({ bearerToken = '' }) => ({ user: user(byToken[bearerToken] ?? 'nobody') })))
  const connection = {}
  const nameFor = (token: string) => {
    const sent: Exchange = Object.assign(exchange(`Bearer ${token}`), { connection })
    return (all.authenticate(sent) as { name: string }).name
  }
  assert.equal(['t-1', 't-1', 't-2', 't-1', 't-2', 't-2'].map(nameFor), ['tina', 'tina', 'tom', 'tina', 'tom', 'tom'])
})

chain('answers at once where the methods do', () => {
  const all = chainOf(method('bearer', () => ({ user: user('tina') })))
  assert.not.instance(all.authenticate(exchange('Bearer t')), Promise)
})

chain(
  'goes on after a failure, and remembers it: without a success the request is refused, not anonymous',
  async () => {
    const nobody = method('anonymous', () => ({ user: user('nobody') }))
    const some = chainOf(
      method('request', fails),
      method('bearer', async () => ({ user: user('tina') })),
      nobody,
    )
    assert.is((await some.authenticate(exchange('Bearer t')))?.name, 'tina')
    assert.throws(() => some.authenticate(exchange()), /Unauthorized/)
    const none = chainOf(
      method('bearer', async () => fails()),
      nobody,
    )
    await rejects(async () => none.authenticate(exchange('Bearer t')), /Unauthorized/)
    assert.is((await none.authenticate(exchange()))?.name, 'nobody')
  },
)

/** A request for a WebSocket that asks for these protocols. */
const webSocket = (protocols: string, headers: Record<string, string> = {}) =>
  exchange(undefined, {
    connection: 'keep-alive, Upgrade',
    upgrade: 'WebSocket',
    'sec-websocket-protocol': protocols,
    ...headers,
  })
const protocolOf = (token: string | Buffer) =>
  `base64url.bearer.authorization.api.acme.test.${Buffer.from(token).toString('base64url')}`
const byToken = (more: readonly ReturnType<typeof method>[] = []) =>
  chainOf(
    method('bearer', ({ bearerToken }) => (bearerToken === 'té' ? { user: user('tina') } : undefined)),
    method('anonymous', () => ({ user: user('nobody') })),
    ...more,
  )

chain('a token may be the name of a WebSocket protocol, which nobody sees afterwards', async () => {
  const asked = webSocket(`v5.channel.acme , ${protocolOf('té')},v4.channel.acme`)
  assert.is((await byToken().authenticate(asked))?.name, 'tina')
  assert.is(asked.headers['sec-websocket-protocol'], 'v5.channel.acme,v4.channel.acme')
  const second = webSocket(`v5,${protocolOf('té')}`, { authorization: 'Bearer wrong' })
  assert.is((await byToken().authenticate(second))?.name, 'tina')
})

chain('a token of a protocol is removed even where a certificate counts', async () => {
  const asked = webSocket(`v5,${protocolOf('té')}`)
  const carol = method('request', () => ({ user: user('carol') }))
  assert.is((await byToken([carol]).authenticate(asked))?.name, 'carol')
  assert.is(asked.headers['sec-websocket-protocol'], 'v5')
})

const refusedProtocols: Record<string, string> = {
  'that nobody knows': `v5,${protocolOf('unknown')}`,
  'without another protocol': protocolOf('té'),
  'that comes twice': `v5,${protocolOf('té')},${protocolOf('té')}`,
  'that is no base64url': `v5,${protocolOf('')}a+b=`,
  'that is no UTF-8': `v5,${protocolOf(Buffer.from([0xff, 0xfe]))}`,
}
for (const [title, protocols] of Object.entries(refusedProtocols))
  chain(`a token of a protocol ${title} is refused`, async () => {
    await rejects(async () => byToken().authenticate(webSocket(protocols)), /Unauthorized/)
  })

chain('the protocol of a token means nothing without a WebSocket, nor without a token', async () => {
  const plain = exchange(undefined, { 'sec-websocket-protocol': `v5,${protocolOf('té')}` })
  assert.is((await byToken().authenticate(plain))?.name, 'nobody')
  assert.is((await byToken().authenticate(webSocket(`v5,${protocolOf('')}`)))?.name, 'nobody')
})

chain('adds system:authenticated once, and never to system:unauthenticated', async () => {
  const groupsFor = async (...groups: string[]) =>
    (await chainOf(method('bearer', () => ({ user: user('x', ...groups) }))).authenticate(exchange('Bearer t')))?.groups
  assert.equal(await groupsFor('a'), ['a', allAuthenticated])
  assert.equal(await groupsFor(allAuthenticated, 'a'), [allAuthenticated, 'a'])
  assert.equal(await groupsFor(allUnauthenticated), [allUnauthenticated])
})

/** A chain with one bearer method that counts how often it is asked. */
function counting(answer: Partial<NonNullable<AuthenticationAnswer>> = {}) {
  let asked = 0
  const all = chainOf(
    method('bearer', () => {
      asked++
      return { user: user('tina'), ...answer }
    }),
  )
  return { all, asked: () => asked }
}

chain('a token costs one check in ten seconds', async () => {
  const { all, asked } = counting()
  for (let i = 0; i < 100; i++) all.authenticate(exchange('Bearer t'))
  assert.is(asked(), 1)
  all.authenticate(exchange('Bearer other'))
  assert.is(asked(), 2)
  await clock.advance(10_000)
  all.authenticate(exchange('Bearer t'))
  assert.is(asked(), 3)
})

chain('a result is not kept beyond the life of the token, nor when it must not be', async () => {
  const short = counting({ expiresAt: clock.now() + 3000 })
  short.all.authenticate(exchange('Bearer t'))
  await clock.advance(3000)
  short.all.authenticate(exchange('Bearer t'))
  assert.is(short.asked(), 2)
  const never = counting({ cacheable: false })
  for (let i = 0; i < 3; i++) never.all.authenticate(exchange('Bearer t'))
  assert.is(never.asked(), 3)
})

chain('a kept result that was revoked is asked about anew', () => {
  let isValid = true
  const { all, asked } = counting({ isStillValid: () => isValid })
  for (let i = 0; i < 3; i++) all.authenticate(exchange('Bearer t'))
  assert.is(asked(), 1)
  isValid = false
  all.authenticate(exchange('Bearer t'))
  assert.is(asked(), 2)
})

chain('a kept token does not overrule the request itself', async () => {
  let hasCertificate = false
  const all = chainOf(
    method('request', () => (hasCertificate ? { user: user('carol') } : undefined)),
    method('bearer', () => ({ user: user('tina') })),
  )
  assert.is((await all.authenticate(exchange('Bearer t')))?.name, 'tina')
  hasCertificate = true
  assert.is((await all.authenticate(exchange('Bearer t')))?.name, 'carol')
})

chain('a method that knows no audiences speaks for those of the server only', async () => {
  const { all, asked } = counting()
  const own = await all.authenticateToken('t', [])
  assert.equal('success' in own && own.success.audiences, ['server'])
  const mixed = await all.authenticateToken('t', ['vault', 'server'])
  assert.equal('success' in mixed && mixed.success.audiences, ['server'])
  const before = asked()
  assert.ok('error' in (await all.authenticateToken('t', ['vault'])))
  assert.is(asked(), before)
})

chain('a method that knows audiences and names none of the wanted ones has not succeeded', async () => {
  const all = chainOf(method('bearer', () => ({ user: user('tina'), audiences: ['vault'] }), { audienceAware: true }))
  const vault = await all.authenticateToken('t', ['vault', 'x'])
  assert.equal('success' in vault && vault.success.audiences, ['vault'])
  await rejects(async () => all.authenticate(exchange('Bearer t')), /Unauthorized/)
})

chain('headers that a method consumed are gone after its success, and only then', async () => {
  let isProxy = false
  const consumesHeaders = (name: string) => name === 'x-remote-user'
  const all = chainOf(
    method('request', () => (isProxy ? { user: user('ann') } : undefined), { consumesHeaders }),
    method('anonymous', () => ({ user: user('nobody') })),
  )
  const headers = { 'x-remote-user': 'ann', other: 'stays' }
  const spoofed = exchange(undefined, headers)
  await all.authenticate(spoofed)
  assert.equal(spoofed.headers, headers)
  isProxy = true
  const proxied = exchange(undefined, headers)
  await all.authenticate(proxied)
  assert.equal(proxied.headers, { other: 'stays' })
})

chain.run()

import { definePlugin, type Registrar } from 'orch/sdk'
import { defineAuthenticator, defineAuthorizer, mastersGroup } from 'orch/sdk/identity'
import { defineRoute } from 'orch/sdk/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codesOf, serving } from './live-plugins-fixtures.js'

const access = suite('authenticators and authorizers of plugins that are replaced')

/** The calls, in order. */
const asked: string[] = []
/** Promises that an authenticator awaits, by token. */
const gates = new Map<string, Promise<void>>()

/** Authenticates bearer tokens, and allows its own users one path. */
const badges = (version: string, more: (to: Registrar) => void = () => {}) =>
  definePlugin({
    name: 'badges',
    register(to) {
      to.authenticator(
        defineAuthenticator({
          name: 'badges',
          kind: 'bearer',
          async authenticate({ bearerToken = '' }) {
            asked.push(`who? ${version}`)
            await gates.get(bearerToken)
            return bearerToken.startsWith('badge') ? { user: { name: `visitor of ${version}`, groups: [] } } : undefined
          },
        }),
      )
      to.authorizer(
        defineAuthorizer({
          mode: 'Badges',
          authorize({ user }) {
            asked.push(`may? ${version}`)
            return { decision: user.name === `visitor of ${version}` ? 'allow' : 'noOpinion' }
          },
        }),
      )
      more(to)
    },
  })

const admins = definePlugin({
  name: 'admins',
  register(to) {
    to.authenticator(
      defineAuthenticator({
        name: 'admins',
        kind: 'request',
        authenticate: ({ headers }) =>
          headers['x-admin'] === undefined ? undefined : { user: { name: 'admin', groups: [mastersGroup] } },
      }),
    )
    to.route(defineRoute({ path: '/me', handle: ({ user }) => ({ body: user.name }) }))
  },
})
const other = (name: string) => definePlugin({ name: 'other', register: to => to.healthCheck({ name, check() {} }) })
const withBadge = (token = 'badge') => ({ headers: { authorization: `Bearer ${token}` } })
const options = { plugins: [admins] }

access('are used from the next request on, and cached decisions of the old ones are dropped', () =>
  serving(
    async ({ kernel, call }) => {
      asked.length = 0
      assert.is((await call('/me', withBadge())).status, 401)
      await kernel.plugins.load(badges('one'))
      assert.equal(await call('/me', withBadge()), { status: 200, text: 'visitor of one' })
      assert.is((await call('/version', { headers: { 'x-admin': '1' } })).status, 200)
      // Neither a cached token nor a change of another plugin causes another call.
      await kernel.plugins.load(other('first'))
      await kernel.plugins.replace('other', other('second'))
      assert.is((await call('/me', withBadge())).status, 200)
      assert.equal(asked, ['who? one', 'may? one', 'may? one'])

      await kernel.plugins.replace('badges', badges('two'))
      assert.equal(await call('/me', withBadge()), { status: 200, text: 'visitor of two' })
      assert.equal(asked.slice(3), ['who? two', 'may? two'])
      await kernel.plugins.unload('badges')
      assert.is((await call('/me', withBadge())).status, 401)
      assert.equal(asked.slice(5), [])
    },
    [],
    options,
  ),
)

access('stay the same for a request in flight', () =>
  serving(
    async ({ kernel, call }) => {
      asked.length = 0
      await kernel.plugins.load(badges('one'))
      let open = () => {}
      gates.set('badge-slow', new Promise(resolve => (open = resolve)))
      const slow = call('/me', withBadge('badge-slow'))
      while (asked.length === 0) await new Promise(resolve => setImmediate(resolve))
      await kernel.plugins.replace('badges', badges('two'))
      assert.equal(await call('/me', withBadge()), { status: 200, text: 'visitor of two' })
      open()
      assert.equal(await slow, { status: 200, text: 'visitor of one' })
      assert.equal(asked, ['who? one', 'who? two', 'may? two', 'may? one'])
      // The new one does not use a result of the old one.
      assert.equal(await call('/me', withBadge('badge-slow')), { status: 200, text: 'visitor of two' })
    },
    [],
    options,
  ),
)

access('stay in use if the new plugin fails to start', () =>
  serving(
    async ({ kernel, call }) => {
      await kernel.plugins.load(badges('one'))
      const broken = badges('two', to =>
        to.onStart({ name: 'printer', run: () => Promise.reject(new Error('no paper')) }),
      )
      assert.equal(await codesOf(kernel.plugins.replace('badges', broken)), ['ORCH_START_FAILED'])
      assert.equal(await call('/me', withBadge()), { status: 200, text: 'visitor of one' })
    },
    [],
    options,
  ),
)

access.run()

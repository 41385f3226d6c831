import { allAuthenticated } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../support/rejects.js'
import { withWhoAmI } from './whoami-server.js'

const file = `# token, user name, uid, groups
one,ann,u-1,"dev,qa"
two,bob,u-2
three,"Carla, the ""boss""",u-3,ops
seven,dan,u-4,ops,more
,nobody,u-5
`
const tokens = suite('static token file')

tokens('--token-auth-file has the user name, uid and groups, which are one quoted column', async () => {
  await withWhoAmI(
    folder => ({ tokenAuthFile: folder.write('tokens.csv', file) }),
    async ({ whoAmI }) => {
      const ann = { name: 'ann', uid: 'u-1', groups: ['dev', 'qa', allAuthenticated] }
      assert.equal((await whoAmI({ token: 'one' })).user, ann)
      assert.equal((await whoAmI({ token: 'two' })).user, { name: 'bob', uid: 'u-2', groups: [allAuthenticated] })
      assert.is((await whoAmI({ token: 'three' })).user?.name, 'Carla, the "boss"')
      assert.equal((await whoAmI({ token: 'seven' })).user?.groups, ['ops', allAuthenticated])
    },
  )
})

tokens('an unknown token is 401 although anonymous access is on, whatever the path', async () => {
  await withWhoAmI(
    folder => ({ tokenAuthFile: folder.write('tokens.csv', file) }),
    async ({ whoAmI }) => {
      for (const token of ['ONE', 'one ', 'onee', 'on', 'ann']) {
        const expected = token === 'one ' ? 200 : 401
        assert.is((await whoAmI({ token })).status, expected, token)
      }
    },
  )
})

tokens('only a Bearer header with one token is a credential; anything else is ignored', async () => {
  await withWhoAmI(
    folder => ({ tokenAuthFile: folder.write('tokens.csv', file) }),
    async ({ whoAmI }) => {
      const userOf = async (authorization: string) => (await whoAmI({ headers: { authorization } })).user?.name
      assert.is(await userOf('bearer one'), 'ann')
      for (const other of ['Bearer', 'Bearer ', 'Bearer  one', 'Token one', 'Basic b25lOm9uZQ=='])
        assert.is(await userOf(other), 'system:anonymous', other)
    },
  )
})

tokens('credentials are not passed to request handlers', async () => {
  await withWhoAmI(
    folder => ({ tokenAuthFile: folder.write('tokens.csv', file) }),
    async ({ whoAmI }) => assert.is((await whoAmI({ token: 'one' })).seen.authorization, undefined),
  )
})

tokens('a line that is too short fails the start with its number, without its token', async () => {
  const start = withWhoAmI(
    folder => ({ tokenAuthFile: folder.write('tokens.csv', 'one,ann,u-1\nhunter2,bob') }),
    async () => {},
  )
  const { message } = await rejects(start, /tokens\.csv, line 2: expected token, user name, user uid/)
  assert.not.match(message, /hunter2/)
})

tokens.run()

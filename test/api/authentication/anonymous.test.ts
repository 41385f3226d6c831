import { authorization } from 'orch/plugins/authorization'
import { allUnauthenticated } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withWhoAmI } from './whoami-server.js'

const anonymous = suite('anonymous requests')

anonymous('a request without credentials is system:anonymous of system:unauthenticated', async () => {
  await withWhoAmI(
    () => ({}),
    async ({ whoAmI }) => {
      assert.equal((await whoAmI({})).user, { name: 'system:anonymous', groups: [allUnauthenticated] })
    },
  )
})

anonymous('--anonymous-auth=false rejects it', async () => {
  await withWhoAmI(
    () => ({ anonymousAuth: false }),
    async ({ whoAmI }) => assert.is((await whoAmI({})).status, 401),
  )
})

anonymous('with authorization mode AlwaysAllow it is rejected, because it would be allowed everything', async () => {
  await withWhoAmI(
    () => ({ authorizationMode: ['AlwaysAllow'] }),
    async ({ whoAmI, token }) => {
      assert.is((await whoAmI({})).status, 401)
      assert.is((await whoAmI({ token })).status, 200)
    },
    { others: [authorization] },
  )
})

anonymous.run()

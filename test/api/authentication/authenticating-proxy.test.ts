import { allAuthenticated } from 'orch/sdk/identity'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../support/rejects.js'
import type { Folder } from '../../support/temporary-folder.js'
import { withWhoAmI } from './whoami-server.js'

const proxies = await testAuthority('proxies')
const clients = await testAuthority('clients')
const flags = (folder: Folder, more: Record<string, unknown> = {}) => ({
  requestheaderClientCaFile: folder.write('proxy-ca.pem', proxies.caPem),
  requestheaderUsernameHeaders: ['X-Remote-User', 'X-Login'],
  requestheaderGroupHeaders: ['X-Remote-Group'],
  requestheaderExtraHeadersPrefix: ['X-Remote-Extra-', 'X-More-Extra-'],
  requestheaderAllowedNames: ['front-proxy'],
  clientCaFile: folder.write('client-ca.pem', clients.caPem),
  ...more,
})

const proxy = suite('authenticating proxy')

proxy(
  '--requestheader-username-headers: the first with a value is the user; --requestheader-group-headers: every value is a group',
  async () => {
    await withWhoAmI(flags, async ({ whoAmI }) => {
      const certificate = await proxies.client('front-proxy')
      const headers = { 'x-login': 'second', 'X-REMOTE-USER': 'ann', 'X-Remote-Group': ['dev', 'qa, ops'] }
      const { user } = await whoAmI({ certificate, headers })
      assert.equal(user, { name: 'ann', groups: ['dev', 'qa, ops', allAuthenticated] })
      assert.is((await whoAmI({ certificate, headers: { 'X-Login': 'second' } })).user?.name, 'second')
      const twice = { 'X-Remote-User': ['', 'eve'], 'X-Login': ['second', 'eve'] }
      assert.is((await whoAmI({ certificate, headers: twice })).user?.name, 'second')
    })
  },
)

proxy(
  '--requestheader-extra-headers-prefix: the rest of the name, lower-cased and percent-decoded, is the key',
  async () => {
    await withWhoAmI(flags, async ({ whoAmI }) => {
      const headers = {
        'X-Remote-User': 'ann',
        'X-Remote-Extra-Scopes': ['view', 'edit'],
        'X-Remote-Extra-acme.com%2FProject': 'p',
        'X-Remote-Extra-%zz': 'kept',
        'X-More-Extra-Scopes': 'late',
      }
      const { user } = await whoAmI({ certificate: await proxies.client('front-proxy'), headers })
      assert.equal(user?.extra, { scopes: ['view', 'edit', 'late'], 'acme.com/project': ['p'], '%zz': ['kept'] })
    })
  },
)

proxy('a value with a comma is a single value: it cannot inject a group', async () => {
  await withWhoAmI(flags, async ({ whoAmI }) => {
    const headers = { 'X-Remote-User': 'eve', 'X-Remote-Group': 'eng, system:masters' }
    const { user } = await whoAmI({ certificate: await proxies.client('front-proxy'), headers })
    assert.equal(user?.groups, ['eng, system:masters', allAuthenticated])
  })
})

proxy('names in UTF-8 arrive as they were sent', async () => {
  await withWhoAmI(flags, async ({ whoAmI }) => {
    const sent = Buffer.from('jürgen').toString('latin1')
    const { user } = await whoAmI({
      certificate: await proxies.client('front-proxy'),
      headers: { 'X-Remote-User': sent },
    })
    assert.is(user?.name, 'jürgen')
  })
})

proxy('the headers of other clients are ignored', async () => {
  await withWhoAmI(flags, async ({ whoAmI, token }) => {
    const headers = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' }
    assert.is((await whoAmI({ headers })).user?.name, 'system:anonymous')
    assert.is((await whoAmI({ headers, token })).user?.name, 'test-administrator')
    const client = await clients.client('carol')
    assert.equal((await whoAmI({ headers, certificate: client })).user, { name: 'carol', groups: [allAuthenticated] })
    const spoof = await clients.client('front-proxy')
    assert.is((await whoAmI({ headers, certificate: spoof })).user?.name, 'front-proxy')
  })
})

proxy(
  '--requestheader-allowed-names and --requestheader-client-ca-file: its certificate must have such a name, be signed by that CA, and be valid',
  async () => {
    await withWhoAmI(flags, async ({ whoAmI }) => {
      const headers = { 'X-Remote-User': 'ann' }
      const other = await proxies.client('other-proxy')
      const expired = await proxies.issue({ user: 'front-proxy', fromMs: -7_200_000, untilMs: -3_600_000 })
      for (const certificate of [other, expired]) assert.is((await whoAmI({ headers, certificate })).status, 401)
    })
  },
)

proxy('without --requestheader-allowed-names any name signed by its CA is accepted', async () => {
  await withWhoAmI(
    folder => flags(folder, { requestheaderAllowedNames: [] }),
    async ({ whoAmI }) => {
      const certificate = await proxies.client('whatever')
      assert.is((await whoAmI({ certificate, headers: { 'X-Remote-User': 'ann' } })).user?.name, 'ann')
    },
  )
})

proxy('a proxy that sends no user is not authenticated', async () => {
  await withWhoAmI(flags, async ({ whoAmI }) => {
    assert.is((await whoAmI({ certificate: await proxies.client('front-proxy') })).status, 401)
  })
})

proxy('its headers are removed before the request is handled', async () => {
  await withWhoAmI(flags, async ({ whoAmI }) => {
    const headers = { 'X-Remote-User': 'ann', 'X-Remote-Extra-A': 'b', 'X-Other': 'stays' }
    const { seen } = await whoAmI({ certificate: await proxies.client('front-proxy'), headers })
    assert.equal([seen['x-remote-user'], seen['x-remote-extra-a'], seen['x-other']], [undefined, undefined, 'stays'])
  })
})

proxy('--requestheader-client-ca-file and --requestheader-username-headers are required together', async () => {
  const halves = [
    (folder: Folder) => ({ requestheaderClientCaFile: folder.write('ca.pem', proxies.caPem) }),
    () => ({ requestheaderUsernameHeaders: ['X-Remote-User'] }),
    () => ({ requestheaderAllowedNames: ['front-proxy'] }),
  ]
  for (const half of halves)
    await rejects(
      withWhoAmI(half, async () => {}),
      /an authenticating proxy requires both --requestheader-client-ca-file and --requestheader-username-headers/,
    )
})

proxy.run()

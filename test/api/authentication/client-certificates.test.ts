import { allAuthenticated } from 'orch/sdk/identity'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { rejects } from '../../support/rejects.js'
import { withWhoAmI } from './whoami-server.js'

const serverUse = '1.3.6.1.5.5.7.3.1'
const clientUse = '1.3.6.1.5.5.7.3.2'
const hourMs = 3_600_000

const certificates = suite('client certificates')

certificates(
  '--client-ca-file: the common name is the user and each organization a group, whichever of several CAs signed',
  async () => {
    const [one, other] = [await testAuthority('one'), await testAuthority('other')]
    const file = `${one.caPem}\n${other.caPem}`
    await withWhoAmI(
      folder => ({ clientCaFile: folder.write('ca.pem', file) }),
      async ({ whoAmI }) => {
        const carol = await whoAmI({ certificate: await one.client('carol', 'qa', 'dev') })
        assert.equal(carol.user, { name: 'carol', groups: ['qa', 'dev', allAuthenticated] })
        const dave = await whoAmI({ certificate: await other.issue({ user: 'dave', usages: [clientUse] }) })
        assert.equal(dave.user, { name: 'dave', groups: [allAuthenticated] })
      },
    )
  },
)

certificates(
  'one that is expired, not yet valid, for another use or from another CA is rejected instead of treated as anonymous',
  async () => {
    const authority = await testAuthority()
    const stranger = await testAuthority()
    await withWhoAmI(
      folder => ({ clientCaFile: folder.write('ca.pem', authority.caPem) }),
      async ({ whoAmI }) => {
        const refused = {
          expired: await authority.issue({ user: 'a', fromMs: -2 * hourMs, untilMs: -hourMs }),
          'not yet valid': await authority.issue({ user: 'a', fromMs: hourMs, untilMs: 2 * hourMs }),
          'for servers only': await authority.issue({ user: 'a', usages: [serverUse] }),
          'of another CA of the same name': await stranger.client('a', 'system:masters'),
          'without a common name': await authority.issue({ user: '' }),
        }
        for (const [what, certificate] of Object.entries(refused))
          assert.is((await whoAmI({ certificate })).status, 401, what)
        assert.is((await whoAmI({})).user?.name, 'system:anonymous')
      },
    )
  },
)

certificates('intermediates that the client sends are used, also in a resumed session', async () => {
  const root = await testAuthority('root')
  const middle = await root.intermediate('middle')
  const low = await middle.intermediate('low')
  await withWhoAmI(
    folder => ({ clientCaFile: folder.write('ca.pem', root.caPem) }),
    async ({ whoAmI }) => {
      const certificate = await low.client('carol')
      const first = await whoAmI({ certificate })
      assert.is(first.user?.name, 'carol')
      const again = await whoAmI({ certificate, session: first.session ?? Buffer.alloc(0) })
      assert.is(again.isResumed, true)
      assert.is(again.user?.name, 'carol')
      const dave = await low.client('dave')
      const [certificatePem = ''] = dave.certificatePem.split(/(?<=-----END CERTIFICATE-----)/)
      assert.is((await whoAmI({ certificate: { ...dave, certificatePem } })).status, 401, 'without them')
    },
  )
})

certificates('only CAs may sign, within their path length', async () => {
  const root = await testAuthority('root')
  const shallow = await testAuthority('shallow', { pathLength: 0 })
  const impostor = await root.intermediate('impostor', { isAuthority: false })
  const tooDeep = await shallow.intermediate('too-deep')
  await withWhoAmI(
    folder => ({ clientCaFile: folder.write('ca.pem', `${root.caPem}\n${shallow.caPem}`) }),
    async ({ whoAmI }) => {
      assert.is((await whoAmI({ certificate: await impostor.client('a', 'system:masters') })).status, 401)
      assert.is((await whoAmI({ certificate: await tooDeep.client('a') })).status, 401)
      assert.is((await whoAmI({ certificate: await shallow.client('a') })).status, 200)
    },
  )
})

certificates('--client-ca-file is reloaded when it changes, and invalid contents are ignored', async () => {
  const [old, young] = [await testAuthority('old'), await testAuthority('young')]
  await withWhoAmI(
    folder => ({ clientCaFile: folder.write('ca.pem', old.caPem) }),
    async ({ whoAmI, folder }) => {
      const [ofOld, ofYoung] = [await old.client('a'), await young.client('b')]
      const statuses = async () => [
        (await whoAmI({ certificate: ofOld })).status,
        (await whoAmI({ certificate: ofYoung })).status,
      ]
      assert.equal(await statuses(), [200, 401])
      folder.write('ca.pem', young.caPem)
      await eventually('the new authority', async () => String(await statuses()) === '401,200')
      folder.write('ca.pem', 'nothing')
      await new Promise(resolve => setTimeout(resolve, 1100))
      assert.equal(await statuses(), [401, 200])
    },
  )
})

certificates('a name that looks like another field is only a name', async () => {
  const authority = await testAuthority()
  await withWhoAmI(
    folder => ({ clientCaFile: folder.write('ca.pem', authority.caPem) }),
    async ({ whoAmI }) => {
      const user = 'eve\nO=system:masters'
      const { user: found } = await whoAmI({ certificate: await authority.issue({ user, groups: ['a,O=b'] }) })
      assert.equal(found, { name: user, groups: ['a,O=b', allAuthenticated] })
    },
  )
})

certificates('a valid one takes precedence over a token; an invalid one does not affect a token', async () => {
  const authority = await testAuthority()
  const stranger = await testAuthority()
  await withWhoAmI(
    folder => ({
      clientCaFile: folder.write('ca.pem', authority.caPem),
      tokenAuthFile: folder.write('t', 'tok,tina,1'),
    }),
    async ({ whoAmI }) => {
      const certificate = await authority.client('carol')
      assert.is((await whoAmI({ token: 'tok' })).user?.name, 'tina')
      assert.is((await whoAmI({ token: 'tok', certificate })).user?.name, 'carol')
      assert.is((await whoAmI({ token: 'wrong', certificate })).user?.name, 'carol')
      assert.is((await whoAmI({ token: 'tok', certificate: await stranger.client('x') })).user?.name, 'tina')
    },
  )
})

certificates('a file without certificates stops the start with its name', async () => {
  const start = withWhoAmI(
    folder => ({ clientCaFile: folder.write('empty.pem', '') }),
    async () => {},
  )
  await rejects(() => start, /client certificate authorities.*empty\.pem holds no PEM certificate/)
})

certificates.run()

import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fakeClock, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorization } from '../../plugins/authorization/plugin.js'
import type { CertificateSigningRequest } from '../../plugins/certificates/certificate-signing-requests/schema.js'
import { certificates } from '../../plugins/certificates/plugin.js'
import { anAuthority } from '../../plugins/certificates/testing/made-authorities.js'
import {
  aNodeRequest,
  aRequest,
  type MadeRequest,
  type Wanted,
} from '../../plugins/certificates/testing/made-requests.js'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { names, requestsOf, type World, withCertificates } from './certificate-world.js'

const client = ['key encipherment', 'digital signature', 'client auth']
const serving = ['key encipherment', 'digital signature', 'server auth']
const host = { names: [{ type: 'dns', value: 'n1' }] } satisfies Wanted
const base64 = ({ pem }: MadeRequest) => Buffer.from(pem).toString('base64')
const approved = { type: 'Approved', status: 'True', reason: 'Test' }
const conditionsOf = ({ status }: CertificateSigningRequest) => (status?.conditions ?? []).map(({ type }) => type)

const approve = ({ admin }: World, name: string) =>
  requestsOf(admin).patch(name, { status: { conditions: [approved] } }, { subresource: 'approval' })
const settled = ({ admin }: World, name: string) =>
  requestsOf(admin).waitFor(
    name,
    request => request.status?.certificate !== undefined || conditionsOf(request).includes('Failed'),
  )
const certificateOf = ({ status }: CertificateSigningRequest) =>
  new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64'))
const lifeHours = (certificate: X509Certificate) =>
  (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000

const signing = suite('the loop csrsigning')
signing('issues certificates that each built-in signer accepts, and reports why it rejects others', async () => {
  await withCertificates(async world => {
    const cases: Record<string, [signer: string, request: MadeRequest, usages: string[], fails: boolean]> = {
      client: [names.clientSigner, await aRequest(), client, false],
      'client-usage': [names.clientSigner, await aRequest(), serving, true],
      'client-key': [names.clientSigner, await aRequest({ key: 'RSA-1024' }), client, true],
      node: [names.nodeAgentClientSigner, await aNodeRequest(), client, false],
      'node-group': [names.nodeAgentClientSigner, await aNodeRequest({ organizations: ['dev'] }), client, true],
      serving: [names.nodeAgentServingSigner, await aNodeRequest(host), serving, false],
      'serving-nameless': [names.nodeAgentServingSigner, await aNodeRequest(), serving, true],
    }
    for (const [name, [signerName, request, usages, fails]] of Object.entries(cases)) {
      await world.create(name, { signerName, request: base64(request), usages })
      await approve(world, name)
      const done = await settled(world, name)
      assert.equal(conditionsOf(done), fails ? ['Approved', 'Failed'] : ['Approved'], name)
      const failure = done.status?.conditions?.find(({ type }) => type === 'Failed')
      if (fails) assert.equal([failure?.reason, Boolean(failure?.message)], ['SignerValidationFailure', true])
      else assert.is(certificateOf(done).ca, false)
    }
  })
})
signing('leaves pending, denied and failed requests and those of other signers alone', async () => {
  await withCertificates(async world => {
    const signerName = names.clientSigner
    const own = requestsOf(world.admin)
    await world.create('pending', { signerName })
    await world.create('denied', { signerName })
    const denied = { ...approved, type: 'Denied' }
    await own.patch('denied', { status: { conditions: [denied] } }, { subresource: 'approval' })
    const failed = { ...approved, type: 'Failed' }
    await world.create('failed', { signerName })
    await own.patch('failed', { status: { conditions: [failed] } }, { subresource: 'status' })
    await own.patch('failed', { status: { conditions: [failed, approved] } }, { subresource: 'approval' })
    await world.create('foreign')
    await approve(world, 'foreign')
    // The loop handles requests in order, so the last one is decided last.
    await world.create('last', { signerName })
    await approve(world, 'last')
    await settled(world, 'last')
    for (const name of ['pending', 'denied', 'failed', 'foreign'])
      assert.is((await own.get(name)).status?.certificate, undefined, name)
  })
})
signing('certificates are valid for the requested and allowed time, from the time of the clock', async () => {
  const clock = fakeClock()
  await withCertificates(
    async world => {
      const signerName = names.clientSigner
      const wishes: Record<string, [number | undefined, number]> = {
        none: [undefined, 24],
        less: [36_000, 10],
        more: [864_000, 24],
      }
      for (const [name, [expirationSeconds, hours]] of Object.entries(wishes)) {
        await world.create(name, { signerName, ...(expirationSeconds === undefined ? {} : { expirationSeconds }) })
        await approve(world, name)
        const certificate = certificateOf(await settled(world, name))
        assert.is(lifeHours(certificate), hours, name)
        assert.is(Date.parse(certificate.validFrom), clock.now() - 5 * 60_000)
      }
    },
    { clock, options: { clusterSigningDuration: '24h' } },
  )
})
signing('each signer uses its own CA or the common one, and reloads it without a restart', async () => {
  const folder = temporaryFolder()
  const write = async (name: string, key: 'P-256' | 'P-384' | 'P-521') => {
    const authority = await anAuthority({ key })
    writeFileSync(join(folder.path, `${name}.pem`), authority.certificatePem)
    writeFileSync(join(folder.path, `${name}-key.pem`), authority.keyPem)
    return new X509Certificate(authority.certificatePem)
  }
  try {
    const forAll = await write('all', 'P-256')
    const forServing = await write('serving', 'P-384')
    const options = {
      clusterSigningCertFile: join(folder.path, 'all.pem'),
      clusterSigningKeyFile: join(folder.path, 'all-key.pem'),
      clusterSigningNodeagentServingCertFile: join(folder.path, 'serving.pem'),
      clusterSigningNodeagentServingKeyFile: join(folder.path, 'serving-key.pem'),
    }
    await withCertificates(
      async world => {
        const issuedBy = async (name: string, signerName: string, request: MadeRequest, usages: string[]) => {
          await world.create(name, { signerName, request: base64(request), usages })
          await approve(world, name)
          return certificateOf(await settled(world, name))
        }
        const one = await issuedBy('a', names.clientSigner, await aRequest(), client)
        assert.ok(one.verify(forAll.publicKey))
        const two = await issuedBy('b', names.nodeAgentServingSigner, await aNodeRequest(host), serving)
        assert.ok(two.verify(forServing.publicKey))
        const replaced = await write('all', 'P-521')
        const three = await issuedBy('c', names.clientSigner, await aRequest(), client)
        assert.ok(three.verify(replaced.publicKey))
      },
      { options },
    )
  } finally {
    folder.remove()
  }
})
signing('a missing file, half of a pair, or a lifetime that is too short fails the start', async () => {
  const start = (options: Record<string, unknown>) => startServer({ plugins: [authorization, certificates], options })
  const both = { clusterSigningCertFile: '/nowhere/ca.pem', clusterSigningKeyFile: '/nowhere/ca-key.pem' }
  assert.match((await rejects(start(both))).message, /\/nowhere\/ca\.pem/)
  assert.match((await rejects(start({ clusterSigningKeyFile: 'x' }))).message, /must be set together/)
  assert.match((await rejects(start({ clusterSigningDuration: '9m' }))).message, /at least 10m/)
})
signing.run()

const approving = suite('the loop csrapproving')
const nodeSpec = async (wanted: Wanted = {}) => ({
  signerName: names.nodeAgentClientSigner,
  request: base64(await aNodeRequest(wanted)),
  usages: client,
})
approving('approves the first certificate of a node for users with the permission', async () => {
  await withCertificates(async world => {
    await world.grant('boot', 'create certificatesigningrequests', 'create certificatesigningrequests/nodeclient')
    await world.create('first', await nodeSpec(), world.as('boot'))
    const done = await settled(world, 'first')
    const [condition] = done.status?.conditions ?? []
    assert.equal([condition?.type, condition?.reason], ['Approved', 'AutoApproved'])
    assert.is(certificateOf(done).subject, 'O=system:nodes\nCN=system:node:n1')
  })
})
approving('approves a node that renews its own certificate, and no other', async () => {
  await withCertificates(async world => {
    const node = world.as('system:node:n1/system:nodes')
    await world.grant(
      'group:system:nodes',
      'create certificatesigningrequests',
      'create certificatesigningrequests/selfnodeclient',
    )
    await world.create('other', await nodeSpec({ commonNames: ['system:node:n2'] }), node)
    await world.create('own', await nodeSpec(), node)
    await settled(world, 'own')
    assert.equal(conditionsOf(await requestsOf(world.admin).get('other')), [])
  })
})
approving('leaves all other requests undecided', async () => {
  await withCertificates(async world => {
    await world.grant('boot', 'create certificatesigningrequests', 'create certificatesigningrequests/nodeclient')
    await world.grant('jane', 'create certificatesigningrequests')
    const [boot, jane] = [world.as('boot'), world.as('jane')]
    await world.create('no-right', await nodeSpec(), jane)
    await world.create('wrong-group', await nodeSpec({ organizations: ['dev'] }), boot)
    await world.create('wrong-name', await nodeSpec({ commonNames: ['n1'] }), boot)
    await world.create('with-host', await nodeSpec(host), boot)
    await world.create('wrong-usages', { ...(await nodeSpec()), usages: serving }, boot)
    await world.create('client-signer', { ...(await nodeSpec()), signerName: names.clientSigner }, boot)
    const hosted = { ...(await nodeSpec(host)), signerName: names.nodeAgentServingSigner, usages: serving }
    await world.create('serving', hosted, boot)
    await world.create('last', await nodeSpec(), boot)
    await settled(world, 'last')
    for await (const request of requestsOf(world.admin).each())
      if (request.metadata?.name !== 'last') assert.equal(conditionsOf(request), [], request.metadata?.name)
  })
})
approving('approves a request once the permission is granted', async () => {
  const clock = fakeClock()
  await withCertificates(
    async world => {
      await world.grant('boot', 'create certificatesigningrequests')
      await world.create('early', await nodeSpec(), world.as('boot'))
      await world.grant('boot', 'create certificatesigningrequests/nodeclient')
      const isApproved = async () => conditionsOf(await requestsOf(world.admin).get('early')).includes('Approved')
      await eventually('the approval', async () => {
        await clock.advance(10_000)
        return isApproved()
      })
    },
    { clock },
  )
})
approving.run()

const cleaning = suite('the loop csrcleaner')
const hourMs = 3_600_000
cleaning(
  'deletes decided requests after an hour, pending ones after a day, and all when the certificate expires',
  async () => {
    const clock = fakeClock()
    await withCertificates(
      async world => {
        const own = requestsOf(world.admin)
        const left = async () => (await own.list()).items.map(({ metadata }) => metadata?.name).sort()
        await world.create('pending')
        await world.create('approved')
        await approve(world, 'approved')
        await world.create('denied')
        await own.patch(
          'denied',
          { status: { conditions: [{ ...approved, type: 'Denied' }] } },
          { subresource: 'approval' },
        )
        await world.create('failed')
        await own.patch(
          'failed',
          { status: { conditions: [{ ...approved, type: 'Failed' }] } },
          { subresource: 'status' },
        )
        await world.create('expiring', { signerName: names.clientSigner, expirationSeconds: 600 })
        await approve(world, 'expiring')
        await settled(world, 'expiring')
        await clock.advance(0.2 * hourMs)
        await own.waitForDeletion('expiring')
        assert.equal(await left(), ['approved', 'denied', 'failed', 'pending'])
        await clock.advance(0.7 * hourMs)
        assert.equal(await left(), ['approved', 'denied', 'failed', 'pending'])
        await clock.advance(0.2 * hourMs)
        await eventually('only the pending one to be left', async () => (await left()).join() === 'pending')
        await clock.advance(22.8 * hourMs)
        assert.equal(await left(), ['pending'])
        await clock.advance(0.2 * hourMs)
        await eventually('none to be left', async () => (await left()).length === 0)
      },
      { clock },
    )
  },
)
cleaning('counts from the last decision, not from the first', async () => {
  const clock = fakeClock()
  await withCertificates(
    async world => {
      const own = requestsOf(world.admin)
      await world.create('a')
      await approve(world, 'a')
      await clock.advance(0.9 * hourMs)
      const [first] = (await own.get('a')).status?.conditions ?? []
      const conditions = [first, { ...approved, type: 'Failed' }]
      await own.patch('a', { status: { conditions } }, { subresource: 'status' })
      await clock.advance(0.9 * hourMs)
      assert.ok(await own.find('a'))
      await clock.advance(0.2 * hourMs)
      await eventually('it to be removed', async () => (await own.find('a')) === undefined)
    },
    { clock },
  )
})
cleaning.run()

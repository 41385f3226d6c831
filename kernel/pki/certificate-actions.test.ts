import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { orchProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import { certificateActions, replaceCertificates } from './certificate-actions.js'
import { ensurePki, type Pki, type PkiRequest } from './ensure-pki.js'
import type { Identity } from './issue-certificate.js'
import { certificatesIn } from './rotated-authority.js'

const actions = suite('orch certs')

async function inFolder(use: (request: PkiRequest, folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  mkdirSync(dataDir)
  try {
    await use({ dataDir, vendor: orchProfile, bindAddress: '127.0.0.1', now: Date.now() }, folder.path)
  } finally {
    folder.remove()
  }
}
const filesOf = (dataDir: string) =>
  readdirSync(join(dataDir, 'pki')).filter(name => statSync(join(dataDir, 'pki', name)).isFile())

/** Whether a client that trusts only `ca` can connect to a server with this certificate. */
async function isTrusted(serving: Identity, ca: string): Promise<boolean> {
  const server = createServer({ cert: serving.certificatePem, key: serving.keyPem }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  try {
    return await new Promise(resolve => {
      const { port } = server.address() as AddressInfo
      const socket = connect({ host: '127.0.0.1', port, ca }, () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
  } finally {
    server.close()
  }
}
const signs = (ca: string, { certificatePem }: Identity) =>
  certificatesIn(ca).some(each => new X509Certificate(certificatePem).verify(new X509Certificate(each).publicKey))

actions(
  'rotate-ca creates a CA that old clients accept, also after several rotations, until the old ones are retired',
  () =>
    inFolder(async request => {
      const run = async (name: string): Promise<Pki> => {
        await replaceCertificates(certificateActions[name]!, request)
        const made = await ensurePki({ ...request, isUsed: true })
        assert.is(made.isNew, false, 'the command left nothing for the next start to create')
        return made
      }
      const first = await ensurePki(request)
      let last = first
      for (const rotation of [1, 2]) {
        const next = await run('rotate-ca')
        assert.is(certificatesIn(next.trustedPem).length, rotation + 1)
        assert.is.not(next.authority.keyPem, last.authority.keyPem)
        assert.is(next.serving.keyPem, first.serving.keyPem, 'tokens that it signed stay valid')
        for (const ca of [first.trustedPem, last.trustedPem, next.authority.certificatePem])
          assert.ok(await isTrusted(next.serving, ca))
        for (const { admin } of [first, last, next]) assert.ok(signs(next.trustedPem, admin))
        last = next
      }
      assert.ok(await isTrusted((await run('renew')).serving, first.trustedPem), 'a renewal keeps the chain')
      const retired = await run('retire-old-ca')
      assert.is(retired.trustedPem, last.authority.certificatePem)
      assert.not(await isTrusted(retired.serving, first.trustedPem))
      assert.ok(await isTrusted(retired.serving, retired.trustedPem))
      assert.not(signs(retired.trustedPem, first.admin))
      const anew = await run('new-ca')
      assert.not(await isTrusted(anew.serving, retired.trustedPem))
      assert.is(certificatesIn(anew.trustedPem).length, 1)
    }),
)

actions('retire-old-ca without an old one changes nothing', () =>
  inFolder(async request => {
    const before = await ensurePki(request)
    await rejects(replaceCertificates(certificateActions['retire-old-ca']!, request), /there is no old CA/)
    const after = await ensurePki({ ...request, isUsed: true })
    assert.equal([after.serving, after.trustedPem, after.isNew], [before.serving, before.trustedPem, false])
    assert.not(readdirSync(join(request.dataDir, 'pki')).some(name => name.startsWith('before-')))
  }),
)

actions('that fails changes nothing', () =>
  inFolder(async request => {
    await ensurePki(request)
    const path = (name: string) => join(request.dataDir, 'pki', name)
    rmSync(path('ca.key'))
    const before = filesOf(request.dataDir).map(name => [name, readFileSync(path(name), 'utf8')])
    for (const name of ['renew', 'rotate-ca', 'retire-old-ca'])
      await rejects(replaceCertificates(certificateActions[name]!, request), /ca\.key" .*missing.*orch certs new-ca/)
    assert.equal(
      readdirSync(join(request.dataDir, 'pki')),
      before.map(([name]) => name),
    )
    assert.equal(
      filesOf(request.dataDir).map(name => [name, readFileSync(path(name), 'utf8')]),
      before,
    )
  }),
)

for (const name of ['rotate-ca', 'new-serving-key']) {
  actions(`${name} that is killed leaves the old files or, once the next has come, all of the new ones`, () =>
    inFolder(async (request, folder) => {
      const first = await ensurePki(request)
      // A copy at every step, including links, is the state after the process was killed there.
      const copies: [step: string, dataDir: string][] = []
      await replaceCertificates(certificateActions[name]!, request, step => {
        const copy = join(folder, `killed-${copies.length}`)
        execFileSync('cp', ['-a', request.dataDir, copy])
        copies.push([step, copy])
      })
      const last = await ensurePki(request)
      assert.is.not(last.serving.certificatePem, first.serving.certificatePem)
      const isDone = copies.findIndex(([step]) => step === 'the new files are complete')
      assert.ok(isDone > 0 && copies.length > isDone + 2)
      for (const [at, [step, dataDir]] of copies.entries()) {
        const found = await ensurePki({ ...request, dataDir, isUsed: true })
        const { authority, serving, admin, trustedPem } = at < isDone ? first : last
        assert.equal([found.authority, found.serving, found.trustedPem], [authority, serving, trustedPem], step)
        assert.equal(found.admin, admin, step)
        assert.equal(
          [found.isNew, filesOf(dataDir)],
          [false, filesOf(at < isDone ? copies[0]![1] : request.dataDir)],
          step,
        )
        const left = readdirSync(join(dataDir, 'pki')).filter(each => !filesOf(dataDir).includes(each))
        assert.is(left.length, at < isDone ? 0 : 1, `${step}: ${left}`)
        if (at < isDone) continue
        const kept = join(dataDir, 'pki', left[0]!)
        assert.is(readFileSync(join(kept, 'serving.crt'), 'utf8'), first.serving.certificatePem)
        assert.is(existsSync(join(kept, 'ca.key')), name === 'rotate-ca')
        const key = createPrivateKey(readFileSync(join(dataDir, 'pki', 'ca.key')))
        assert.ok(new X509Certificate(readFileSync(join(dataDir, 'pki', 'ca.crt'))).checkPrivateKey(key))
      }
    }),
  )
}

actions.run()

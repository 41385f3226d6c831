import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orchProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ensurePki } from './ensure-pki.js'
import { findKeys } from './load-server-keys.js'
import { serviceAccountKey } from './service-account-key.js'

const finding = suite('keys of a server in its data folder')

finding('are used only if the client config trusts the CA of the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-keys-'))
  try {
    const request = { vendor: orchProfile, bindAddress: '127.0.0.1', now: Date.now() }
    const [one, other] = await Promise.all(
      ['one', 'other'].map(name => ensurePki({ ...request, dataDir: join(folder, name) })),
    )
    const tokenKey = await serviceAccountKey(join(folder, 'one'), one!.serving.keyPem)
    const trusted = one!.authority.certificatePem
    const found = findKeys(join(folder, 'one'), `${other!.authority.certificatePem}\n${trusted}`)
    const { frontProxy, ...keys } = found ?? {}
    assert.is(frontProxy?.keyFile, join(folder, 'one/pki/front-proxy-client.key'))
    assert.equal(keys, {
      caCertificatePem: trusted,
      caKeyPem: one!.authority.keyPem,
      servingKeyPem: one!.serving.keyPem,
      serviceAccountKeyPem: tokenKey,
    })
    assert.is(findKeys(join(folder, 'other'), trusted), undefined)
    assert.is(findKeys(join(folder, 'nowhere'), trusted), undefined)
    assert.is(findKeys(join(folder, 'one'), undefined), undefined)
    cpSync(join(folder, 'one'), join(folder, 'broken'), { recursive: true })
    writeFileSync(join(folder, 'broken/pki/ca.crt'), 'nonsense')
    assert.is(findKeys(join(folder, 'broken'), trusted), undefined)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

finding.run()

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerFacts } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anAuthority } from '../testing/made-authorities.js'
import { authorityOf, signingFiles } from './authorities.js'

const authorities = suite('authorities of signers')
const clusterSigningDuration = '1h'
const own = { caCertificatePem: 'certificate', caKeyPem: 'key' } as ServerFacts

authorities('without files, the CA of the server signs', () => {
  const { client } = signingFiles({ clusterSigningDuration })
  assert.equal(authorityOf(client, own), { certificatePem: 'certificate', keyPem: 'key' })
})
authorities('a server without a CA says what it needs', () => {
  const none = { caCertificatePem: undefined, caKeyPem: undefined } as ServerFacts
  assert.throws(() => authorityOf(undefined, none), /--cluster-signing-cert-file/)
})
authorities("a signer's own files go before those for all", () => {
  const files = signingFiles({
    clusterSigningDuration,
    clusterSigningCertFile: 'all.pem',
    clusterSigningKeyFile: 'all-key.pem',
    clusterSigningNodeagentServingCertFile: 'serving.pem',
    clusterSigningNodeagentServingKeyFile: 'serving-key.pem',
  })
  assert.equal(files.nodeAgentServing, { certFile: 'serving.pem', keyFile: 'serving-key.pem' })
  for (const signer of ['client', 'nodeAgentClient', 'legacyUnknown'] as const)
    assert.equal(files[signer], { certFile: 'all.pem', keyFile: 'all-key.pem' })
})
for (const half of ['clusterSigningCertFile', 'clusterSigningLegacyUnknownKeyFile'] as const)
  authorities(`${half} alone is refused`, () => {
    assert.throws(() => signingFiles({ clusterSigningDuration, [half]: 'x.pem' }), /must be set together/)
  })
authorities('files are read each time, and errors contain the file name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'))
  try {
    const files = { certFile: join(folder, 'ca.pem'), keyFile: join(folder, 'ca-key.pem') }
    assert.throws(() => authorityOf(files, own), /ca\.pem/)
    for (const key of ['P-256', 'P-384'] as const) {
      const authority = await anAuthority({ key })
      writeFileSync(files.certFile, authority.certificatePem)
      writeFileSync(files.keyFile, authority.keyPem)
      assert.equal(authorityOf(files, own), authority)
    }
    writeFileSync(files.keyFile, 'nonsense')
    assert.throws(() => authorityOf(files, own), /ca-key\.pem: .*cannot be read/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
authorities.run()

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyPrefix } from 'orch/sdk/host'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openEtcdStore } from './open-etcd-store.js'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'

const tls = suite('etcd with TLS')

if (isEtcdInstalled()) {
  tls('admits clients with a certificate, and no others', async () => {
    const authority = await testAuthority()
    const server = await authority.server()
    const client = await authority.client('orch')
    const folder = mkdtempSync(join(tmpdir(), 'etcd-tls-'))
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const etcd = await startCluster({ tls: { caPem: authority.caPem, ...server } })
    const common = {
      etcdServers: [...etcd.servers],
      etcdPrefix: '/secure',
      etcdCafile: file('ca.pem', authority.caPem),
      historyMs: 300_000,
      now: Date.now,
      warn: () => {},
    }
    try {
      const store = await openEtcdStore({
        ...common,
        etcdCertfile: file('client.pem', client.certificatePem),
        etcdKeyfile: file('client.key', client.keyPem),
      })
      assert.is((await store.write({ key: '/a', body: Buffer.from(`${bodyPrefix}}}`) })).ok, true)
      await store.close()
      const refused = await openEtcdStore(common).catch((error: unknown) => error)
      assert.match(String(refused), /StorageError: etcd does not answer: .*certificate/)
    } finally {
      await etcd.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
} else {
  console.log('SKIP etcd is not installed')
}

tls.run()

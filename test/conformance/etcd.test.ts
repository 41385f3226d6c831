import { describeConformance, pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { etcdEngine } from './etcd-engine.js'
import { unheardVendor as vendor } from './first-party-plugins.js'

/** An ordinary type, one that a loop deletes, and one that two groups serve. All plugins: `npm run conformance -- --etcd`. */
const onEtcd = { configuration: '', namespaces: '', events: '' }

const conformance = suite('conformance on etcd')

if (isEtcdInstalled()) {
  conformance('plugins conform on etcd as they do on the embedded store', async () => {
    const etcd = await startCluster()
    try {
      for (const [name, only] of Object.entries(onEtcd)) {
        const engine = etcdEngine(etcd.servers)
        const report = await pluginConformance({ plugin: `orch/plugins/${name}`, only, vendor, engine, samples: 5 })
        assert.ok(report.passed > 20, `${name}: ${report.passed} passed`)
        assert.is(report.failed, 0, describeConformance(report))
      }
    } finally {
      await etcd.stop()
    }
  })
} else {
  console.log('SKIP etcd is not installed')
}

conformance.run()

import { describeConformance, pluginConformance } from 'orch/sdk/testing'
import { startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { etcdEngine } from './etcd-engine.js'
import { firstPartyPlugins } from './first-party-plugins.js'

/**
 * `npm run conformance`: every first-party plugin, with all that `orch conformance` tries.
 *
 *   node dist/test/conformance/main.js [--etcd] [--samples=N] [--only=TEXT] [name of a plugin ...]
 *
 * With --etcd their servers keep objects in an etcd that is started for it. The last line is `N passed, N failed`.
 */
const words = process.argv.slice(2)
const names = words.filter(word => !word.startsWith('--'))
const samples = Number(words.find(word => word.startsWith('--samples='))?.slice('--samples='.length) ?? 50)
const only = words.find(word => word.startsWith('--only='))?.slice('--only='.length)
const etcd = words.includes('--etcd') ? await startCluster() : undefined

let [passed, failed] = [0, 0]
try {
  for (const name of names.length > 0 ? names : firstPartyPlugins) {
    const startedAt = performance.now()
    const report = await pluginConformance({
      plugin: `orch/plugins/${name}`,
      samples,
      ...(only === undefined ? {} : { only }),
      ...(etcd ? { engine: etcdEngine(etcd.servers) } : {}),
    })
    passed += report.passed
    failed += report.failed
    if (report.failed > 0) console.log(describeConformance(report))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${name}: ${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped, ${seconds} s`)
  }
} finally {
  await etcd?.stop()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { startOrch } from '../support/start-orch.js'
import { replay } from './replay.js'
import { reportLines, totalsOf } from './report.js'
import { loadScenarios, selectScenarios } from './scenario.js'
import { credentialsFile, flagsOf, goldenFolder } from './server-flags.js'

/**
 * Areas that depend on the engine: storing, listing, watching, concurrent changes and deletion. What happens before
 * the store is accessed (validation, authorization, reviews) or after it (representations, tables, discovery) is replayed only on the embedded
 * one, by golden.test.ts.
 */
const areas: ReadonlySet<string> = new Set([
  'concurrency',
  'configmap',
  'crd',
  'crd-objects',
  'crd-versions',
  'deletion',
  'dryrun',
  'lists',
  'namespaces',
  'patch',
  'ssa',
  'watch',
])

const golden = suite('recorded scenarios on etcd')

if (isEtcdInstalled()) {
  golden('match as they do on the embedded store', async () => {
    const etcd = await startCluster()
    try {
      const engine = ['--storage-engine=etcd', `--etcd-servers=${etcd.servers.join()}`]
      const server = await startOrch({ flags: [...(await flagsOf('base')), ...engine] })
      const scenarios = selectScenarios(loadScenarios(join(goldenFolder, 'scenarios')), {
        profile: 'base',
        // A new server still has version 1.
        without: ['compacted-history'],
      }).filter(({ area }) => areas.has(area))
      const results = await replay(scenarios, {
        target: server.url,
        credentials: credentialsFile,
        exceptions: JSON.parse(readFileSync(join(goldenFolder, '../golden-exceptions.json'), 'utf8')),
        webhookPort: 0,
      }).finally(() => server.stop())
      assert.equal(new Set(results.map(({ area }) => area)), areas)
      const failed = results.filter(result => result.failed > 0)
      assert.is(totalsOf(results).failed, 0, `\n${reportLines(failed).join('\n')}`)
    } finally {
      await etcd.stop()
    }
  })
} else {
  console.log('SKIP etcd is not installed')
}

golden.run()

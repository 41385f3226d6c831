import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { orchProfile, Vendor } from 'orch/sdk'
import { describeConformance, pluginConformance, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiKeys, hashOf } from './api-keys.js'
import { apiKeys } from './plugin.js'

const group = new Vendor(orchProfile).group('rbac.authorization')
const lines = `# keys\n${hashOf('key-of-ann').toString('hex')},ann,dev;ops\n${hashOf('key-of-bob').toString('hex')},bob\n`

async function withFile(test: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'api-keys-'))
  writeFileSync(join(folder, 'keys.csv'), lines)
  await test(join(folder, 'keys.csv')).finally(() => rmSync(folder, { recursive: true }))
}

const example = suite('the custom authenticator example')

example('authenticates users by their key, and leaves authorization to others', () =>
  withFile(async apiKeyFile => {
    const server = await startServer({ plugins: [namespaces, configuration, authorization, apiKeys({ apiKeyFile })] })
    try {
      await server.client.resource({ group, version: 'v1', resource: 'clusterrolebindings' }).create({
        metadata: { name: 'ops' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: group, kind: 'Group', name: 'ops' }],
      } as never)
      const status = async (key: string) =>
        (await fetch(`${server.baseUrl}/api/v1/configmaps`, { headers: { 'x-api-key': key } })).status
      assert.equal([await status('key-of-ann'), await status('key-of-bob')], [200, 403])
      assert.equal([await status('key-of-eve'), await status('')], [401, 401])
    } finally {
      await server.stop()
    }
  }),
)

example('refuses a file that is not a list of hashes, without quoting it', () => {
  assert.throws(
    () => new ApiKeys('key-of-ann,ann'),
    (error: Error) => !error.message.includes('key-of-ann'),
  )
})

example('conforms', () =>
  withFile(async apiKeyFile => {
    const report = await pluginConformance({ plugin: apiKeys({ apiKeyFile }) })
    assert.is(report.failed, 0, describeConformance(report))
    assert.ok(report.results.some(({ subject }) => subject === 'authenticator api-key'))
  }),
)
example.run()

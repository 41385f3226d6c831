import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VersionName } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const folder = fileURLToPath(new URL('../../../test/versions/facts', import.meta.url))
/** The checks of the recorded versions, by endpoint and in alphabetical order; /healthz shows those of /livez. */
const facts = JSON.parse(readFileSync(join(folder, 'health.json'), 'utf8')) as Record<
  VersionName,
  Readonly<Record<'livez' | 'readyz', readonly string[]>>
>
const health = suite('health checks by version')

for (const [version, expected] of Object.entries(facts))
  health(`${version} has those of the reference`, async () => {
    const server = await startServer({ vendor: 'kubernetes', kubernetesVersion: version })
    const shown = async (endpoint: string) => {
      const response = await fetch(`${server.baseUrl}/${endpoint}?verbose`, {
        headers: { authorization: `Bearer ${server.token}` },
      })
      return [...(await response.text()).matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name ?? '').sort()
    }
    try {
      assert.equal(await shown('livez'), expected.livez)
      assert.equal(await shown('healthz'), expected.livez)
      assert.equal(await shown('readyz'), expected.readyz)
    } finally {
      await server.stop()
    }
  })

health.run()

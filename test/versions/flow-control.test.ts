import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApiObject, VersionName } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** The specs of flow schemas and priority levels at first start, by `resource/name`, with the recorded versions that have them. */
interface RecordedForm {
  readonly versions: readonly VersionName[]
  readonly spec: object
}
const folder = fileURLToPath(new URL('../../../test/versions/facts', import.meta.url))
const facts = JSON.parse(readFileSync(join(folder, 'flow-control.json'), 'utf8')) as Record<
  string,
  readonly RecordedForm[]
>
/** The newest version of the group that each served by then. */
const apiVersions: readonly (readonly [VersionName, string])[] = [
  ['1.25', 'v1beta2'],
  ['1.27', 'v1beta3'],
  ['1.30', 'v1'],
  ['1.33', 'v1'],
  ['1.36', 'v1'],
]

const flows = suite('flow schemas and priority levels by version')

for (const [version, apiVersion] of apiVersions)
  flows(`${version} begins with those of the reference`, async () => {
    const expected = Object.entries(facts).flatMap(([name, forms]) =>
      forms.filter(({ versions }) => versions.includes(version)).map(({ spec }) => [name, spec] as const),
    )
    assert.ok(expected.length > 10)
    const server = await startServer({ vendor: 'kubernetes', kubernetesVersion: version })
    try {
      const served = await Promise.all(
        ['flowschemas', 'prioritylevelconfigurations'].map(async resource => {
          const collection = server.client.resource<ApiObject & { spec: object }>({
            group: 'flowcontrol.apiserver.k8s.io',
            version: apiVersion,
            resource,
          })
          const wanted = expected.filter(([name]) => name.startsWith(`${resource}/`)).length
          const deadline = Date.now() + 20_000
          let { items } = await collection.list()
          while (items.length < wanted && Date.now() < deadline) {
            await new Promise(resolve => setTimeout(resolve, 50))
            ;({ items } = await collection.list())
          }
          return items.map(({ metadata, spec }) => [`${resource}/${metadata.name}`, spec] as const)
        }),
      )
      assert.equal(Object.fromEntries(served.flat().sort()), Object.fromEntries([...expected].sort()))
    } finally {
      await server.stop()
    }
  })

flows.run()

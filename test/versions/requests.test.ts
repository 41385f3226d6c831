import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** What requests are answered with at a version, on servers that were recorded or read. */
const requests = suite('requests by version')

async function at<T>(kubernetesVersion: string, run: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startServer({ vendor: 'kubernetes', kubernetesVersion })
  try {
    return await run(server)
  } finally {
    await server.stop()
  }
}
const collection = ({ client }: TestServer, resource: string) =>
  client.resource<ApiObject>({ group: '', version: 'v1', resource }).in('default')

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }

for (const [version, isNew] of [
  ['1.25', false],
  ['1.26', true],
  ['1.36', true],
] as const)
  requests(`the answer to a deletion at ${version} has the version of the ${isNew ? 'removal' : 'last change'}`, () =>
    at(version, async server => {
      const made = await collection(server, 'serviceaccounts').create({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'x' },
      })
      const removed = (await collection(server, 'serviceaccounts').delete('x')) as unknown as ApiObject
      assert.is(removed.metadata.uid, made.metadata.uid)
      const [before, after] = [made, removed].map(({ metadata }) => Number(metadata.resourceVersion))
      assert.is(after! > before!, isNew)
    }),
  )

for (const [version, isTracked] of [
  ['1.28', false],
  ['1.29', true],
] as const)
  requests(`the writer of a list with repeated items at ${version} ${isTracked ? 'owns it' : 'owns nothing'}`, () =>
    at(version, async server => {
      const finalizers = ['example.com/x', 'example.com/x']
      const { metadata } = await collection(server, 'configmaps').create({
        ...configMap,
        metadata: { name: 'a', finalizers },
      })
      assert.is((metadata.managedFields ?? []).length > 0, isTracked)
    }),
  )

requests("the vendor's own finalizer needs no domain", () =>
  at('1.36', async server => {
    const { metadata } = await collection(server, 'configmaps').create({
      ...configMap,
      metadata: { name: 'a', finalizers: ['kubernetes'] },
    })
    assert.equal(metadata.finalizers, ['kubernetes'])
  }),
)

requests.run()

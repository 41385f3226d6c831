import { type ApiError, type ApiObject, definePlugin } from 'orch/sdk'
import type { Scale } from 'orch/sdk/core'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { replicationControllers } from './resource.js'
import type { ReplicationController } from './schema.js'

const plugin = definePlugin({
  name: 'scale-under-test',
  register: (to, { vendor }) => to.resource(replicationControllers(vendor.level)),
})
const labels = { 'app-b': 'c', app: 'a' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const path = '/api/v1/namespaces/default/replicationcontrollers/r/scale'

const scaling = suite('the scale of a replication controller')

scaling('shows and sets the number of pods', async () => {
  const server = await startServer({ plugins: [plugin] })
  try {
    const { client } = server
    const controllers = client
      .resource<ApiObject & ReplicationController>({ group: '', version: 'v1', resource: 'replicationcontrollers' })
      .in('default')
    const made = await controllers.create({
      metadata: { name: 'r', namespace: 'default' },
      spec: { replicas: 2, template },
    })
    assert.equal([made.spec?.selector, made.metadata.labels, made.metadata.generation], [labels, labels, 1])

    const seen = await client.request<Scale>({ method: 'GET', path, headers: {} })
    assert.equal(
      [seen.kind, seen.spec, seen.status],
      ['Scale', { replicas: 2 }, { replicas: 0, selector: 'app=a,app-b=c' }],
    )

    const put = (resourceVersion: string | undefined, replicas: number) =>
      client.request<Scale>({
        method: 'PUT',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...seen, metadata: { ...seen.metadata, resourceVersion }, spec: { replicas } }),
      })
    assert.is((await put(seen.metadata?.resourceVersion, 5)).spec?.replicas, 5)
    const changed = await controllers.get('r')
    assert.equal([changed.spec?.replicas, changed.metadata.generation], [5, 2])

    const patched = await client.request<Scale>({
      method: 'PATCH',
      path,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { replicas: 7 } }),
    })
    assert.is(patched.spec?.replicas, 7)

    const apply = (manager: string, replicas: number, more = '') =>
      client.request<Scale>({
        method: 'PATCH',
        path: `${path}?fieldManager=${manager}${more}`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas } }),
      })
    const refused = await apply('one', 8).catch((error: unknown) => error)
    assert.equal(
      [(refused as ApiError).code, (refused as ApiError).details?.causes?.[0]?.field],
      [409, '.spec.replicas'],
    )
    assert.is((await apply('one', 8, '&force=true')).spec?.replicas, 8)
    const owners = ((await controllers.get('r')).metadata.managedFields ?? []).filter(({ subresource }) => subresource)
    assert.equal(
      owners.map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1]),
      [['one', 'Apply', { 'f:spec': { 'f:replicas': {} } }]],
    )

    // A Scale omits 0, so whoever scales to 0 does not own the number, and the previous owner no longer does.
    await put(undefined, 0)
    const stopped = await controllers.get('r')
    const ownsReplicas = (fields: unknown) => JSON.stringify(fields).includes('f:replicas')
    assert.equal(
      [stopped.spec?.replicas, stopped.metadata.managedFields?.filter(({ fieldsV1 }) => ownsReplicas(fieldsV1)).length],
      [0, 0],
    )

    const outdated = await put(seen.metadata?.resourceVersion, 6).catch((error: unknown) => error)
    assert.is((outdated as ApiError).code, 409)
    const putFor = (metadata: object) =>
      client
        .request<Scale>({
          method: 'PUT',
          path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...seen, metadata }),
        })
        .catch((error: unknown) => error)
    assert.is(((await putFor({ name: 'other' })) as ApiError).code, 400)
    assert.is(((await putFor({ name: 'r', namespace: 'default', uid: 'another' })) as ApiError).code, 409)
    const negative = await put(undefined, -1).catch((error: unknown) => error)
    assert.is((negative as ApiError).code, 422)
  } finally {
    await server.stop()
  }
})

scaling.run()

import type { ApiError } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorization } from '../plugin.js'
import { acme } from '../testing/acme.js'

const paths = suite('paths of access reviews')

paths('reviews are not stored: there are no paths of objects, and local reviews exist only in namespaces', async () => {
  const server = await startServer({ plugins: [authorization], vendor: acme.profile })
  const statusOf = (method: string, path: string) =>
    server.client.request({ method, path: `/apis/${acme.group('authorization')}/v1/${path}`, headers: {} }).then(
      () => 200,
      (error: ApiError) => error.code,
    )
  try {
    assert.is(await statusOf('GET', 'subjectaccessreviews'), 405)
    assert.is(await statusOf('GET', 'namespaces/default/localsubjectaccessreviews'), 405)
    for (const method of ['GET', 'PUT', 'DELETE']) assert.is(await statusOf(method, 'subjectaccessreviews/x'), 404)
    for (const method of ['GET', 'POST']) assert.is(await statusOf(method, 'localsubjectaccessreviews'), 404)
    assert.is(await statusOf('POST', 'namespaces/default/subjectaccessreviews'), 404)
  } finally {
    await server.stop()
  }
})

paths.run()

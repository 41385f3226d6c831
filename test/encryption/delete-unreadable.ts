import { type ApiObject, definePlugin } from 'orch/sdk'
import { ForwardingStore, type Revision, type StoredObject } from 'orch/sdk/host'
import type { TestServer } from 'orch/sdk/testing'
import * as assert from 'uvu/assert'

const repaired = '/secrets/default/repaired'

/** As if another server replaced a Secret right after this one failed to read it. */
class RepairedElsewhere extends ForwardingStore {
  override async get(key: string, notOlderThan?: Revision): Promise<StoredObject | undefined> {
    try {
      return await this.inner.get(key, notOlderThan)
    } catch (error) {
      const body = Buffer.from('{"metadata":{"name":"repaired","namespace":"default"},"type":"Opaque"}')
      if (key === repaired) await this.inner.write({ key, body })
      throw error
    }
  }
}

/** Authorizes everything, except that one user may do nothing unsafe. */
export const careful = definePlugin({
  name: 'careful',
  register(to) {
    to.authorizer({
      mode: 'Careful',
      authorize: ({ user, verb }) => ({
        decision: user.name === 'careless' && verb.startsWith('unsafe') ? 'deny' : 'allow',
      }),
    })
    to.storeLayer({ name: 'repaired-elsewhere', wrap: store => new RepairedElsewhere(store) })
  },
})

/** Sends a request, as an administrator by default. */
export async function ask({ baseUrl, token }: TestServer, method: string, path: string, body?: object, as = token) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, text: await response.text() }
}

/** Of four Secrets, `three` can be read, and `repaired` at the second attempt. */
export async function deleteUnreadable(server: TestServer): Promise<void> {
  const path = '/api/v1/namespaces/default/secrets'
  const option = { ignoreStoreReadErrorWithClusterBreakingPotential: true }
  const careless = (await server.addUser({ name: 'careless' })).token ?? ''
  const answers: [method: string, name: string, options: object, code: number, why: RegExp, as?: string][] = [
    ['DELETE', '/one', {}, 500, /does not decrypt it/],
    ['DELETE', '/repaired', option, 422, /is exclusively used to delete corrupt object/],
    ['GET', '/repaired', {}, 200, /"type":"Opaque"/],
    ['DELETE', '/three', option, 422, /is exclusively used to delete corrupt object/],
    ['DELETE', '/one', { ...option, gracePeriodSeconds: 0 }, 422, /cannot be set together with .gracePeriodSeconds/],
    ['DELETE', '/none', option, 404, /not found/],
    ['DELETE', '', option, 400, /is not allowed with DELETECOLLECTION/],
    ['DELETE', '/one', option, 403, /cannot unsafe-delete-ignore-read-errors resource .+secrets/, careless],
  ]
  for (const [method, name, options, code, why, as] of answers) {
    const { status, text } = await ask(server, method, path + name, method === 'GET' ? undefined : options, as)
    assert.is(status, code, text)
    assert.match(text, why)
  }
  assert.is((await ask(server, 'DELETE', `${path}/one`, option)).status, 200)
  assert.is(
    (await ask(server, 'DELETE', `${path}/two?ignoreStoreReadErrorWithClusterBreakingPotential=true`)).status,
    200,
  )
  const secrets = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'secrets' }).in('default')
  const { items } = await secrets.list()
  assert.equal(
    items.map(({ metadata: { name } }) => name),
    ['repaired', 'three'],
  )
}

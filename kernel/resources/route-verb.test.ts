import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import { conventionsOf } from '../types/conventions.js'
import type { ResourceServices } from './resource-services.js'
import { serveResource } from './route-verb.js'

/** A type with a status, and nothing stored. */
const type = {
  namespaced: true,
  verbs: ['get'],
  definition: { subresources: { status: { kind: 'update', strategy: {} } } },
  conventions: conventionsOf({}),
  servedVersion: () => ({ definition: {} }),
}
const services = { types: { get: () => type } } as unknown as ResourceServices

const routing = suite('paths below an object')

for (const name of ['constructor', '__proto__', 'toString', 'nothing'])
  routing(`${name} is no subresource unless the type says so`, () => {
    const info = parseRequestInfo('GET', `/apis/acme.test/v1/namespaces/n/things/a/${name}`)
    const context = { info, exchange: { method: 'GET' } } as unknown as RequestContext
    assert.throws(() => serveResource(services, context), /could not find the requested resource/)
  })

routing('below a group of which nothing is served are not paths at all', () => {
  const unserved = { types: { get: () => ({ ...type, servedVersion: () => undefined }), ofGroup: () => [] } }
  const info = parseRequestInfo('GET', '/apis/acme.test/v1/namespaces/n/things/a')
  const context = { info, exchange: { method: 'GET' } } as unknown as RequestContext
  assert.throws(() => serveResource(unserved as unknown as ResourceServices, context), /404 page not found/)
})

routing.run()

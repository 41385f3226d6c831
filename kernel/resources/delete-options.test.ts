import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import type { RequestContext } from '../contracts/request-context.js'
import { readDeleteOptions } from './delete-options.js'
import type { ResourceServices } from './resource-services.js'

const services = {
  vendor: { profile: {}, metaGroup: 'meta.test' },
  limits: { bodyBytes: 1000 },
  types: { serves: (groupVersion: string) => groupVersion === 'acme.test/v2' },
} as unknown as ResourceServices
const read = (query: string, body = '') =>
  readDeleteOptions(services, {
    info: { query: new URLSearchParams(query) },
    exchange: { headers: {} },
    readBody: async () => Buffer.from(body),
    audit: { recordRequest: () => {} },
  } as unknown as RequestContext)

const options = suite('options of a deletion')

options('a grace period that could not be read again is refused, wherever it stands', async () => {
  assert.equal((await read('gracePeriodSeconds=30')).gracePeriodSeconds, 30)
  await rejects(read('gracePeriodSeconds=9223372036854775807'), /out of range/)
  await rejects(read('', '{"gracePeriodSeconds":9223372036854775807}'), /gracePeriodSeconds must be a number/)
})
options('a body counts alone; the query only when there is none', async () => {
  assert.equal(await read('propagationPolicy=Orphan', '{"gracePeriodSeconds":0}'), {
    dryRun: false,
    gracePeriodSeconds: 0,
  })
})
options('the body is of a version that is served, or of none', async () => {
  const ofVersion = (apiVersion: unknown) => read('', JSON.stringify({ kind: 'DeleteOptions', apiVersion }))
  for (const known of [undefined, null, '', 'v1', 'meta.test/v1', 'acme.test/v2']) await ofVersion(known)
  for (const unknown of ['v9', 'meta.test/v9', 'acme.test/v1', 'acme.test/v2/x', 5, {}, ['v1']])
    await rejects(ofVersion(unknown), /apiVersion of DeleteOptions/)
})
options('every contradiction about the propagation is reported', async () => {
  const causes = (query: string) =>
    read(query).then(
      () => [],
      ({ details }) => details.causes.map(({ reason }: { reason: string }) => reason),
    )
  assert.equal(await causes('propagationPolicy=Sideways'), ['FieldValueNotSupported'])
  assert.equal(await causes('propagationPolicy=Orphan&orphanDependents=true'), ['FieldValueInvalid'])
  assert.equal(await causes('propagationPolicy=Sideways&orphanDependents=true'), [
    'FieldValueInvalid',
    'FieldValueNotSupported',
  ])
})
options('the query may say which object it means, too', async () => {
  assert.equal(await read('uid=u1'), { dryRun: false, preconditions: { uid: 'u1' } })
  assert.equal(await read('uid='), { dryRun: false })
})

options.run()

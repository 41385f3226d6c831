import { Registry } from 'prom-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRequestInfo, type RequestInfo } from '../request/request-info.js'
import { lazyGauge, RequestMetrics } from './request-metrics.js'

const infoOf = (path: string) => parseRequestInfo('GET', path) as RequestInfo
const linesOf = async (registry: Registry, name: string) =>
  (await registry.metrics()).split('\n').filter(line => line.startsWith(`${name}{`))

const metrics = suite('metrics of requests')

metrics('paths that anybody makes up share one line, whatever they are answered', async () => {
  const registry = new Registry()
  const requests = new RequestMetrics(registry, ({ resource }) => resource === 'things')
  for (let i = 0; i < 100; i++) requests.observe(infoOf(`/apis/g${i}.test/v1/r${i}/x/s${i}`), 403, 0.001)
  requests.observe(infoOf('/apis/acme.test/v1/things'), 200, 0.001)
  requests.observe(infoOf('/apis/acme.test/v1/things/a'), 404, 0.001)
  assert.equal(await linesOf(registry, 'apiserver_request_total'), [
    'apiserver_request_total{verb="get",group="",version="",resource="",subresource="",code="403"} 100',
    'apiserver_request_total{verb="list",group="acme.test",version="v1",resource="things",subresource="",code="200"} 1',
    'apiserver_request_total{verb="get",group="acme.test",version="v1",resource="things",subresource="",code="404"} 1',
  ])
  assert.is((await linesOf(registry, 'apiserver_request_duration_seconds_count')).length, 3)
})

metrics('a figure that cannot be read does not keep the others from being shown', async () => {
  const registry = new Registry()
  lazyGauge(registry, 'broken', 'Fails.', () => Promise.reject(new Error('the store does not answer')))
  lazyGauge(registry, 'thrown', 'Fails at once.', () => {
    throw new Error('closed')
  })
  lazyGauge(registry, 'sound', 'Works.', () => 7)
  const lines = (await registry.metrics()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  assert.equal(lines, ['broken Nan', 'thrown Nan', 'sound 7'])
})

metrics.run()

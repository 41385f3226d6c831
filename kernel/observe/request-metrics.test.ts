import { Registry } from 'prom-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRequestInfo, type RequestInfo } from '../contracts/request-info.js'
import { labelsOf } from './request-labels.js'
import { lazyGauge, RequestMetrics } from './request-metrics.js'

function requestOf(method: string, path: string, contentType = 'application/json') {
  const closed: (() => void)[] = []
  const exchange = {
    headers: { 'content-type': contentType },
    onClose: (listener: () => void) => void closed.push(listener),
  }
  return { info: parseRequestInfo(method, path) as RequestInfo, exchange, close: () => closed.pop()?.() }
}
const linesOf = async (registry: Registry, name: string) =>
  (await registry.metrics()).split('\n').filter(line => line.startsWith(`${name}{`))

const metrics = suite('metrics of requests')

metrics('unknown paths share one line, whatever the status', async () => {
  const registry = new Registry()
  const requests = new RequestMetrics(registry, ({ resource }) => resource === 'things')
  for (let i = 0; i < 100; i++) requests.observe(requestOf('GET', `/apis/g${i}.test/v1/r${i}/x/s${i}`), 403, 0.001)
  requests.observe(requestOf('GET', '/apis/acme.test/v1/things'), 200, 0.001)
  requests.observe(requestOf('GET', '/apis/acme.test/v1/things/a'), 404, 0.001)
  const things = 'group="acme.test",version="v1",resource="things",subresource=""'
  assert.equal(await linesOf(registry, 'apiserver_request_total'), [
    'apiserver_request_total{verb="GET",dry_run="",group="",version="",resource="",subresource="",scope="",component="",code="403"} 100',
    `apiserver_request_total{verb="LIST",dry_run="",${things},scope="cluster",component="apiserver",code="200"} 1`,
    `apiserver_request_total{verb="GET",dry_run="",${things},scope="resource",component="apiserver",code="404"} 1`,
  ])
  assert.is((await linesOf(registry, 'apiserver_request_duration_seconds_count')).length, 3)
})

const things = '/apis/acme.test/v1/namespaces/farm/things'
const reported: Record<string, [method: string, path: string, labels: string, contentType?: string]> = {
  'a list of a namespace': ['GET', things, 'LIST  namespace'],
  'a head of all': ['HEAD', '/apis/acme.test/v1/things', 'LIST  cluster'],
  'a watch': ['GET', `${things}?watch=1`, 'WATCH  namespace'],
  'a watch by the old path': ['GET', '/apis/acme.test/v1/watch/things', 'WATCH  cluster'],
  'a create': ['POST', things, 'POST  resource'],
  'an update of a subresource': ['PUT', `${things}/a/status`, 'PUT status resource'],
  'a patch as a dry run': ['PATCH', `${things}/a?dryRun=All`, 'PATCH  resource All', 'application/merge-patch+json'],
  'an apply': ['PATCH', `${things}/a?fieldManager=x`, 'APPLY  resource', 'application/apply-patch+yaml'],
  'a delete': ['DELETE', `${things}/a?dryRun=`, 'DELETE  resource'],
  'a delete of a collection': ['DELETE', `${things}?dryRun=Some`, 'DELETE  namespace invalid'],
  'a health check': ['GET', '/livez?verbose', 'GET /livez '],
  'another path': ['GET', '/livez/ping', 'GET  '],
  'an unknown method': ['BREW', '/coffee', 'other  '],
}
for (const [title, [method, path, expected, contentType]] of Object.entries(reported))
  metrics(`${title} is counted as ${expected.replace(/ +/g, ' ').trim()}`, () => {
    const labels = labelsOf(requestOf(method, path, contentType), path.startsWith('/apis/'))
    const { verb, subresource, scope, dry_run } = labels
    assert.is([verb, subresource, scope, dry_run].join(' ').replace(/ $/, ''), expected)
  })

metrics('a watch is open until its exchange ends', async () => {
  const registry = new Registry()
  const requests = new RequestMetrics(registry, () => true)
  const [first, second] = [requestOf('GET', `${things}?watch=1`), requestOf('GET', `${things}?watch=1`)]
  requests.longRunningStarted(first)
  requests.longRunningStarted(second)
  first.close()
  const labels = 'verb="WATCH",group="acme.test",version="v1",resource="things",subresource="",scope="namespace"'
  assert.equal(await linesOf(registry, 'apiserver_longrunning_requests'), [
    `apiserver_longrunning_requests{${labels},component="apiserver"} 1`,
  ])
})

metrics('a value that cannot be read does not block the others', async () => {
  const registry = new Registry()
  lazyGauge(registry, 'broken', 'Fails.', () => Promise.reject(new Error('the store does not answer')))
  lazyGauge(registry, 'thrown', 'Fails at once.', () => {
    throw new Error('closed')
  })
  lazyGauge(registry, 'hanging', 'Never ends.', () => new Promise(() => {}))
  lazyGauge(registry, 'sound', 'Works.', () => 7)
  const lines = (await registry.metrics()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  assert.equal(lines, ['broken Nan', 'thrown Nan', 'hanging Nan', 'sound 7'])
})

metrics.run()

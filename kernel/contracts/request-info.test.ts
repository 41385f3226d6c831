import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isTrueParameter, parseRequestInfo, requestedName } from './request-info.js'

const info = suite('request info')

type Expected = Partial<
  Record<'verb' | 'group' | 'version' | 'namespace' | 'accessNamespace' | 'resource' | 'name' | 'subresource', string>
>
const resources: Record<string, [method: string, url: string, expected: Expected]> = {
  'a collection of the core group is listed': [
    'GET',
    '/api/v1/things',
    { verb: 'list', group: '', version: 'v1', resource: 'things' },
  ],
  'an object of a named group is read': [
    'GET',
    '/apis/g.io/v1/namespaces/n/things/a',
    { verb: 'get', group: 'g.io', namespace: 'n', resource: 'things', name: 'a' },
  ],
  'watch on a collection is a watch': ['GET', '/api/v1/things?watch=1', { verb: 'watch' }],
  'watch on an object is a watch of that object': ['GET', '/api/v1/things/a?watch=true', { verb: 'watch', name: 'a' }],
  'watch=false is no watch': ['GET', '/api/v1/things?watch=false', { verb: 'list' }],
  'the old watch prefix still means a watch': ['GET', '/api/v1/watch/things', { verb: 'watch', resource: 'things' }],
  'POST creates': ['POST', '/api/v1/namespaces/n/things', { verb: 'create', namespace: 'n' }],
  'DELETE without a name deletes the collection': [
    'DELETE',
    '/api/v1/namespaces/n/things',
    { verb: 'deletecollection' },
  ],
  'a subresource is named after the object': [
    'PUT',
    '/api/v1/things/a/status',
    { verb: 'update', subresource: 'status' },
  ],
  'a namespace is in no namespace, and allowed by those who may do so in it': [
    'GET',
    '/api/v1/namespaces/n',
    { verb: 'get', resource: 'namespaces', name: 'n', namespace: '', accessNamespace: 'n' },
  ],
  'what a group calls namespaces is in nobody’s namespace': [
    'GET',
    '/apis/g.io/v1/namespaces/n/status',
    { resource: 'namespaces', name: 'n', subresource: 'status', namespace: '', accessNamespace: '' },
  ],
  'status below a namespace is its subresource, not a collection': [
    'GET',
    '/api/v1/namespaces/n/status',
    { resource: 'namespaces', name: 'n', subresource: 'status' },
  ],
  'percent-encoding is decoded': ['GET', '/api/v1/things/a%2Eb', { name: 'a.b' }],
  'a trailing slash changes nothing': ['GET', '/api/v1/things/', { verb: 'list', resource: 'things', name: '' }],
}
for (const [title, [method, url, expected]] of Object.entries(resources)) {
  info(title, () => {
    const parsed = parseRequestInfo(method, url)
    assert.is(parsed?.isResource, true)
    for (const [field, value] of Object.entries(expected)) assert.is(parsed?.[field as keyof Expected], value, field)
  })
}

info('paths outside the resource API keep their path and use the method as verb', () => {
  for (const path of ['/healthz', '/api', '/apis', '/apis/g.io', '/apis/g.io/v1', '/api/v1']) {
    const parsed = parseRequestInfo('GET', `${path}?x=1`)
    assert.is(parsed?.isResource, false)
    assert.is(parsed?.path, path)
    assert.is(parsed?.verb, 'get')
  }
})
info('broken percent-encoding is told apart', () => assert.is(parseRequestInfo('GET', '/api/v1/%zz'), undefined))

const nowhere = {
  'deeper than a subresource': '/api/v1/things/a/b/c',
  'deeper than a subresource of a namespace': '/api/v1/namespaces/n/status/c',
  'far deeper': `/api/v1${'/x'.repeat(1000)}`,
  'a watch of a subresource': '/api/v1/watch/things/a/status',
  'an object without a name': '/api/v1/things//status',
  'a type without a name': '/api/v1//a',
  'a group without a name': '/apis//v1/things',
  'a namespace without a name': '/api/v1/namespaces//status',
  'a slash within a name': '/api/v1/things/a%2Fb',
  'a slash for a name': '/api/v1/things/%2f',
  'a slash within a namespace': '/api/v1/namespaces/n%2Fthings/a',
}
for (const [title, path] of Object.entries(nowhere))
  info(`${title} leads nowhere`, () => assert.is(parseRequestInfo('GET', path)?.isUnroutable, true))
info('no namespace stands for all of them', () => {
  const { isUnroutable, isBelowNamespace, namespace, verb } = parseRequestInfo('GET', '/api/v1/namespaces//things')!
  assert.equal(
    { isUnroutable, isBelowNamespace, namespace, verb },
    { isUnroutable: false, isBelowNamespace: true, namespace: '', verb: 'list' },
  )
})
info('many slashes take no time', () => {
  const slashes = '/'.repeat(1_000_000)
  const before = process.cpuUsage()
  for (const path of [`/api/v1${slashes}`, `/api/v1${slashes}x`, slashes]) parseRequestInfo('GET', path)
  assert.ok(process.cpuUsage(before).user < 500_000)
})
info('a boolean parameter is true unless it is absent, false or 0', () => {
  const truth = (query: string) => isTrueParameter(new URLSearchParams(query), 'x')
  assert.equal(['', 'x=false', 'x=0', 'x', 'x=1', 'x=abc'].map(truth), [false, false, false, true, true, true])
})

info('a list of one object is about it, unless a parameter cannot be read', () => {
  const nameOf = (query: string) =>
    requestedName(parseRequestInfo('GET', `/api/v1/things?fieldSelector=metadata.name%3Da${query}`)!)
  for (const query of ['', '&labelSelector=a%3Db', '&limit=5', '&watch=x']) assert.is(nameOf(query), 'a', query)
  for (const query of ['%3Db', '&labelSelector=a%3Db%3Dc', '&limit=x', '&timeoutSeconds='])
    assert.is(nameOf(query), '', query)
})

info('what is behind a subresource is told if all before it is sound', () => {
  const behind = (path: string) => parseRequestInfo('GET', path)?.proxyPath
  assert.is(behind('/api/v1/namespaces/n/things/t/sub/a//b%2Fc/d/e/f/g/'), '/a//b/c/d/e/f/g/')
  assert.is(behind('/api/v1/things/t/sub/a'), '/a')
  for (const path of [
    'things/t/sub',
    'things//sub/a',
    'things/t%2Fx/sub/a/b',
    'things/t/sub%2Fa/b',
    'watch/things/t/sub/a',
  ])
    assert.is(behind(`/api/v1/${path}`), undefined, path)
})

info.run()

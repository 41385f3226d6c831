import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isTrueParameter, parseRequestInfo } from './request-info.js'

const info = suite('request info')

type Expected = Partial<
  Record<'verb' | 'group' | 'version' | 'namespace' | 'resource' | 'name' | 'subresource', string>
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
  'the namespace object itself carries its name as namespace': [
    'GET',
    '/api/v1/namespaces/n',
    { verb: 'get', resource: 'namespaces', name: 'n', namespace: 'n' },
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
info('a path that goes deeper than a subresource is marked', () => {
  assert.is(parseRequestInfo('GET', '/api/v1/things/a/b/c')?.isTooDeep, true)
})
info('a boolean parameter is true unless it is absent, false or 0', () => {
  const truth = (query: string) => isTrueParameter(new URLSearchParams(query), 'x')
  assert.equal(['', 'x=false', 'x=0', 'x', 'x=1', 'x=abc'].map(truth), [false, false, false, true, true, true])
})

info.run()

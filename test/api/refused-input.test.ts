import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { widgetGroup } from './widgets.js'
import { type Answer, type ServerUnderTest, withServer } from './with-server.js'

/** Malformed input that is easily misread: each is rejected with a Status, and nothing changes. */

const json = { 'content-type': 'application/json' }
const merge = { 'content-type': 'application/merge-patch+json' }
const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
const operations = { 'content-type': 'application/json-patch+json' }
const apply = { 'content-type': 'application/apply-patch+yaml' }
const yaml = { 'content-type': 'application/yaml' }
const sized = (size: string, name = 'b') => `{"metadata":{"name":"${name}"},"spec":{"size":${size}}}`
const applied = (name: string, metadata: string, size = '1') =>
  `{"apiVersion":"${widgetGroup}/v1","kind":"Widget","metadata":{"name":"${name}"${metadata}},"spec":{"size":${size}}}`
const deletion = (apiVersion: string) => `{"kind":"DeleteOptions","apiVersion":"${apiVersion}","dryRun":["All"]}`

type Ask = [method: string, below: string, body?: string, headers?: Record<string, string>]
const cases: Record<string, [ask: Ask, status: number]> = {
  'a Content-Type that is only a semicolon': [['POST', '', sized('1'), { 'content-type': ';' }], 415],
  'a Content-Type with an empty parameter': [['POST', '', sized('1'), { 'content-type': 'application/json;;' }], 415],
  'a patch without a media type': [['PATCH', '/a', '{}', { 'content-type': ';application/merge-patch+json' }], 415],
  'a deletion without a media type': [['DELETE', '/a', deletion('v1'), { 'content-type': ';' }], 415],
  'a slash for a name': [['GET', '/%2f'], 404],
  'a slash for the name of a deleted object': [['DELETE', '/%2F?dryRun=All'], 404],
  'a percent sign in a name': [['GET', '/a%2500'], 400],
  'a version 00 of a list': [['GET', '?resourceVersion=00'], 400],
  'a version 00 of an object': [['GET', '/a?resourceVersion=00'], 400],
  'a version 00 of a watch': [['GET', '?watch=1&resourceVersion=00&timeoutSeconds=1'], 400],
  'a version 00 in a matched list': [['GET', '?resourceVersion=00&resourceVersionMatch=Exact'], 400],
  'a version 01': [['GET', '?resourceVersion=01'], 400],
  'a version with a sign': [['GET', '?resourceVersion=%2B1'], 400],
  'a version with a space': [['GET', '?resourceVersion=1%20'], 400],
  'a version 00 in an update': [['PUT', '/a', '{"metadata":{"name":"a","resourceVersion":"00"}}', json], 400],
  'a version 00 in a create': [['POST', '', '{"metadata":{"name":"b","resourceVersion":"00"}}', json], 400],
  'a version that is not a number in a create': [
    ['POST', '', '{"metadata":{"name":"b","resourceVersion":"x"}}', json],
    400,
  ],
  'options of a deletion of version v9': [['DELETE', '/a', deletion('v9'), json], 400],
  'options of a deletion of a group that is not served': [['DELETE', '/a', deletion('nobody.test/v1'), json], 400],
  'options of a deletion of another kind': [['DELETE', '/a', '{"kind":"CreateOptions","apiVersion":"v1"}', json], 400],
  'options of a collection delete of version v9': [['DELETE', '', deletion('v9'), json], 400],
  'a tiny grace period': [['DELETE', '/a', '{"gracePeriodSeconds":1e-999999999}', json], 400],
  'a grace period with a fraction': [['DELETE', '/a', '{"gracePeriodSeconds":1.0}', json], 400],
  'a number that underflows to 0': [['POST', '', sized('1e-999999999'), json], 400],
  'a number that overflows': [['POST', '', sized('1e400'), json], 400],
  'an integer with a fraction': [['POST', '', sized('1.0'), json], 400],
  'an integer with an exponent': [['POST', '', sized('1e0'), json], 400],
  'an integer that rounds to one': [['POST', '', sized('0.99999999999999999999'), json], 400],
  'such an integer in an update': [['PUT', '/a', sized('1.0', 'a'), json], 400],
  'such an integer in a merge patch': [['PATCH', '/a', '{"spec":{"size":1e-999999999}}', merge], 400],
  'a fraction in a strategic patch': [['PATCH', '/a', '{"spec":{"size":1.5}}', strategic], 422],
  'such an integer in a JSON patch': [
    ['PATCH', '/a', '[{"op":"replace","path":"/spec/size","value":1.0}]', operations],
    422,
  ],
  'such an integer in an apply': [['PATCH', '/b?fieldManager=m', applied('b', '', '1e-999999999'), apply], 400],
  'a number too small in YAML': [['POST', '', 'metadata: {name: b}\nspec:\n  size: 1e-999999999\n', yaml], 400],
  'infinity in YAML': [['POST', '', 'metadata: {name: b}\nspec:\n  size: .inf\n', yaml], 400],
  'a version in an apply of a missing object': [
    ['PATCH', '/b?fieldManager=m', applied('b', ',"resourceVersion":"1"'), apply],
    409,
  ],
  'a version in a dry-run apply of a missing object': [
    ['PATCH', '/b?fieldManager=m&dryRun=All', applied('b', ',"resourceVersion":"1"'), apply],
    409,
  ],
  'an invalid version in an apply': [
    ['PATCH', '/b?fieldManager=m', applied('b', ',"resourceVersion":"x"'), apply],
    400,
  ],
}
const fine: Record<string, Ask> = {
  'a Content-Type with an extra semicolon': [
    'POST',
    '?dryRun=All',
    sized('1'),
    { 'content-type': 'application/json;' },
  ],
  'options of a deletion of v1': ['DELETE', '/a', deletion('v1'), json],
  'options of a deletion of the version of the object': ['DELETE', '/a', deletion(`${widgetGroup}/v1`), json],
  'an integer that is minus 0': ['POST', '?dryRun=All', sized('-0'), json],
  'an integer with a fraction in YAML, as the reference reads it': [
    'POST',
    '?dryRun=All',
    'metadata: {name: b}\nspec:\n  size: 1.0\n',
    yaml,
  ],
  'version 0 in an apply of a missing object': [
    'PATCH',
    '/b?fieldManager=m&dryRun=All',
    applied('b', ',"resourceVersion":"0"'),
    apply,
  ],
}

const refused = suite('malformed input')

refused('each is rejected with a Status, and nothing changes', () =>
  withServer({}, async ({ ask, path }: ServerUnderTest) => {
    assert.is((await ask('POST', path, sized('1', 'a'))).status, 201)
    const list = async () => (await ask('GET', path)).json.items
    const before = await list()
    const wrong: string[] = []
    const send = ([method, below, body, headers]: Ask): Promise<Answer> => ask(method, path + below, body, headers)
    for (const [title, [request, status]] of Object.entries(cases)) {
      const answer = await send(request)
      const isStatus = answer.json['kind'] === 'Status' && Number(answer.json['code']) === status
      if (answer.status !== status || !isStatus) wrong.push(`${title}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    for (const [title, request] of Object.entries(fine)) {
      const { status, text } = await send(request)
      if (status !== 200 && status !== 201) wrong.push(`${title}: ${status} ${text.slice(0, 200)}`)
    }
    assert.equal(wrong, [])
    assert.equal(await list(), before)
  }),
)

refused.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { destinationOf } from './destination.js'

const destination = suite('the destination of a webhook')

const paths: Record<string, string> = {
  'https://hook.acme.test': '/',
  'https://hook.acme.test/': '/',
  'https://hook.acme.test/a/b': '/a/b',
  'https://hook.acme.test/a/b/': '/a/b',
  'https://hook.acme.test//a//b': '/a/b',
  'https://hook.acme.test/a b': '/a%20b',
}
for (const [url, path] of Object.entries(paths))
  destination(`"${url}" has the path ${path}`, () => assert.is(destinationOf({ url }).path, path))

destination('a Service has the path it names, or the root', () => {
  const pathOf = (path?: string) =>
    destinationOf({ service: { namespace: 'n', name: 's', port: 443, ...(path === undefined ? {} : { path }) } }).path
  assert.equal([pathOf(), pathOf(''), pathOf('/'), pathOf('/review/')], ['/', '/', '/', '/review'])
})
destination('the port is 443 unless it says otherwise', () =>
  assert.equal(
    ['https://hook.acme.test', 'https://hook.acme.test:8443'].map(url => destinationOf({ url }).hostAndPort),
    ['hook.acme.test:443', 'hook.acme.test:8443'],
  ),
)

destination.run()

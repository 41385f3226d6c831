import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const it = suite('addresses of objects in the console')
let open: OpenConsole
/** Requests of the page that would change something. */
const changes: string[] = []
it.before(async () => {
  open = await openConsole({ options: { watchHistory: '1s' } })
  open.page.on('request', request => {
    if (['DELETE', 'PUT', 'PATCH'].includes(request.method())) changes.push(`${request.method()} ${request.url()}`)
  })
  const nodes = open.server.client.resource({ group: '', version: 'v1', resource: 'nodes' })
  for (const name of ['node-1', 'node-2']) await nodes.create({ metadata: { name } } as never)
  await configmaps().create({ metadata: { name: 'apple' }, data: { color: 'green' } } as never)
})
it.after(() => open?.close())
const configmaps = () => open.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')

const refused: Readonly<Record<string, string>> = {
  'without the placeholder for no namespace': '/o/core/v1/nodes/node-1',
  'without a name': '/o/core/v1/configmaps/default',
  'with an empty name': '/o/core/v1/configmaps/default/',
  'with an empty namespace': '/o/core/v1/configmaps//apple',
  'whose name is the parent folder': '/o/core/v1/configmaps/default/..',
  'whose name is the encoded parent folder': '/o/core/v1/configmaps/default/%2e%2e',
  'whose name is the current folder': '/o/core/v1/nodes/-/.',
  'whose name has a slash': '/o/core/v1/configmaps/default/apple%2Fstatus',
  'whose namespace is the parent folder': '/o/core/v1/configmaps/../apple',
  'whose version contains slashes': '/o/core/v1%2Fnamespaces%2Fdefault/configmaps/-/apple',
  'of a namespaced type without a namespace': '/o/core/v1/configmaps/-/apple',
  'of a type without namespaces in one': '/o/core/v1/nodes/default/node-1',
  'of a tab that no longer exists': '/o/core/v1/configmaps/default/apple/events',
  'of a tab that does not exist': '/o/core/v1/configmaps/default/apple/nothing',
  'with more segments after the tab': '/o/core/v1/configmaps/default/apple/yaml/more',
  'that is not encoded correctly': '/o/core/v1/configmaps/default/%E0%A4%A',
  'of a view that does not exist': '/x/core/v1/nodes',
  'of a table with a name': '/r/core/v1/nodes/node-1',
}
for (const [name, address] of Object.entries(refused))
  it(`an address ${name} is rejected`, async () => {
    await goTo(open.page, '/server')
    await open.page.getByRole('heading', { name: 'Server', exact: true }).waitFor()
    await goTo(open.page, address)
    await open.page.getByText('No such page').waitFor()
    assert.is(await open.page.locator('main').getByRole('button').count(), 0)
    assert.equal(changes, [])
  })

it('the address with the name works', async () => {
  await goTo(open.page, '/o/core/v1/nodes/-/node-1')
  await open.page.getByRole('heading', { name: 'node-1' }).waitFor()
  await open.page.getByRole('button', { name: 'Delete' }).click()
  const dialog = open.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await open.text('Deleted')
  assert.equal(changes, [`DELETE ${open.server.baseUrl}/api/v1/nodes/node-1`])
  const nodes = await open.server.client.resource({ group: '', version: 'v1', resource: 'nodes' }).list()
  assert.equal(
    nodes.items.map(({ metadata }) => metadata.name),
    ['node-2'],
  )
})

it('a response with another object is not shown', async () => {
  await open.page.route('**/configmaps?fieldSelector=metadata.name%3Dpear', route =>
    route.fulfill({ json: { metadata: { resourceVersion: '1' }, items: [{ metadata: { name: '' } }] } }),
  )
  await goTo(open.page, '/o/core/v1/configmaps/default/pear')
  await open.text('The server returned something other than ConfigMap pear.')
  assert.is(await open.page.getByRole('button', { name: 'Delete' }).count(), 0)
})

it('an object that is older than the available history is live', async () => {
  const { metadata } = await configmaps().get('apple')
  const exact = `/api/v1/configmaps?limit=1&resourceVersionMatch=Exact&resourceVersion=${metadata.resourceVersion}`
  const isGone = async () => {
    await configmaps().patch('filler', { data: { at: String(Date.now()) } })
    const headers = { Authorization: `Bearer ${open.server.token}` }
    return (await fetch(`${open.server.baseUrl}${exact}`, { headers })).status === 410
  }
  await configmaps().create({ metadata: { name: 'filler' } } as never)
  await eventually('the end of its history', isGone, 60_000)
  await goTo(open.page, '/o/core/v1/configmaps/default/apple')
  await open.page.locator('.title .live', { hasText: /^Live$/ }).waitFor()
  await configmaps().patch('apple', { data: { color: 'red' } })
  await open.text('red')
  await open.page.locator('.title .live', { hasText: /^Live$/ }).waitFor()
})

/** The functions that every request for an object goes through, as the page has them. */
async function pathFunctions() {
  const entry = fileURLToPath(new URL('../../../plugins/console/page/model/paths.ts', import.meta.url))
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)
}

it('no path of an object lacks a name', async () => {
  const { objectPath } = await pathFunctions()
  const pods = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', isNamespaced: true }
  assert.is(objectPath(pods, 'default', 'web:1'), '/api/v1/namespaces/default/pods/web%3A1')
  for (const name of ['', '.', '..', 'a/b', 'a%2Fb', 'a\\b', undefined])
    assert.throws(() => objectPath(pods, 'default', name), /is not the name of an object/, String(name))
  for (const namespace of ['', undefined]) assert.throws(() => objectPath(pods, namespace, 'web'), /has no namespace/)
  assert.throws(() => objectPath(pods, '..', 'web'), /is not the name of a namespace/)
  assert.throws(() => objectPath({ ...pods, version: '../v1' }, 'default', 'web'), /is not the name of a version/)
})

if (chromiumPath) it.run()
else console.log(noBrowser)

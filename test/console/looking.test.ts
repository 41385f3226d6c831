import { definePlugin, forbidden } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beaconPlugin } from '../../examples/console-page/plugin.js'
import { defaultPlugins } from '../../kernel/index.js'
import { eventually } from '../support/eventually.js'
import { chromiumPath, goTo, noBrowser, signIn } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

/** A control loop that always fails. */
const unlucky = definePlugin({
  name: 'unlucky',
  register: to =>
    to.controller(
      defineControlLoop({
        name: 'unlucky',
        rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] }],
        sources: [{ resource: { group: '', version: 'v1', resource: 'namespaces' } }],
        async reconcile() {
          throw forbidden({ group: 'example.com', resource: 'beacons', name: 'hush' }, 'hush')
        },
      }),
    ),
})

const it = suite('looking at the API in the console')
let open: OpenConsole
it.before(async () => {
  open = await openConsole({ plugins: [...(await defaultPlugins()), beaconPlugin, unlucky] })
})
it.after(() => open?.close())
const configmaps = () => open.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')

it('refuses a token that the server does not know', async () => {
  const other = await open.browser.newPage()
  await other.goto(`${open.server.baseUrl}/console/`)
  await other.getByLabel('Token').fill('of-nobody')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByText('The server does not know this token').waitFor()
  await other.context().close()
})

it('shows changes by other clients as they happen', async () => {
  await goTo(open.page, '/r/core/v1/configmaps?ns=default')
  await open.page.getByText('Live').first().waitFor()
  await configmaps().create({ metadata: { name: 'seen', labels: { tier: 'gold' } }, data: { a: '1' } } as never)
  await open.cell('seen').waitFor()
  await goTo(open.page, '/o/core/v1/configmaps/default/seen')
  await open.text('tier')
  await configmaps().patch('seen', { data: { a: 'changed elsewhere' } })
  await open.text('changed elsewhere')
  await configmaps().delete('seen')
  await open.text('Deleted')
})

it('sorts, and filters by text, label and field', async () => {
  for (const [name, tier] of [
    ['apple', 'gold'],
    ['banana', 'tin'],
    ['cherry', 'gold'],
  ])
    await configmaps().create({ metadata: { name, labels: { tier } } } as never)
  await goTo(open.page, '/r/core/v1/configmaps?ns=default&labels=tier%3Dgold&sort=Name&desc=1')
  await open.cell('cherry').waitFor()
  const names = () => open.page.getByRole('gridcell').locator('a').allTextContents()
  assert.equal(await names(), ['cherry', 'apple'])
  await open.page.getByRole('button', { name: 'Name', exact: true }).click()
  await eventually('the other order', async () => (await names()).join() === 'apple,cherry')
  await goTo(open.page, '/r/core/v1/configmaps?ns=default&fields=metadata.name%3Dbanana')
  await eventually('the one of the field', async () => (await names()).join() === 'banana')
  await goTo(open.page, '/r/core/v1/configmaps?ns=default')
  await open.page.getByLabel('Filter rows by text').fill('tier=gold ch')
  await eventually('the one of the text', async () => (await names()).join() === 'cherry')
})

it('types appear when they are defined, and disappear with their definition', async () => {
  const group = 'apiextensions.orch.io'
  const definitions = open.server.client.resource({ group, version: 'v1', resource: 'customresourcedefinitions' })
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { depth: { type: 'integer' } } } },
  }
  const version = (column: string) => ({
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    additionalPrinterColumns: [{ name: column, type: 'integer', jsonPath: '.spec.depth' }],
  })
  await definitions.create({
    metadata: { name: 'wells.water.example' },
    spec: {
      group: 'water.example',
      scope: 'Namespaced',
      names: { plural: 'wells', singular: 'well', kind: 'Well' },
      versions: [version('Depth')],
    },
  } as never)
  const link = open.page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'Well', exact: true })
  await link.click()
  await open.text('Nothing here yet')
  const wells = open.server.client.resource({ group: 'water.example', version: 'v1', resource: 'wells' }).in('default')
  const well = (name: string) => ({
    apiVersion: 'water.example/v1',
    kind: 'Well',
    metadata: { name },
    spec: { depth: 3 },
  })
  await wells.create(well('old') as never)
  await open.cell('old').waitFor()
  await open.page.getByRole('columnheader', { name: /^Depth/ }).waitFor()
  await definitions.patch('wells.water.example', { spec: { versions: [version('Level')] } } as never)
  await wells.create(well('new') as never)
  await open.page.getByRole('columnheader', { name: /^Level/ }).waitFor()
  await definitions.delete('wells.water.example')
  await link.waitFor({ state: 'detached' })
})

it('shows the versions that the store has, and their differences', async () => {
  await configmaps().create({ metadata: { name: 'versioned' }, data: { word: 'before' } } as never)
  await configmaps().patch('versioned', { data: { word: 'after' } })
  await goTo(open.page, '/o/core/v1/configmaps/default/versioned/history')
  await open.text('The store has 2 versions of this object.')
  const diff = open.page.getByLabel('Changes')
  assert.equal(await diff.locator('.removed').allTextContents(), ['− removed:   word: before'])
  assert.ok((await diff.locator('.mine').allTextContents()).includes('+ added:   word: after'))
})

it('shows what an object refers to, and who refers to it', async () => {
  const at = (resource: string) => open.server.client.resource({ group: '', version: 'v1', resource }).in('default')
  await configmaps().create({ metadata: { name: 'settings' } } as never)
  await at('services').create({
    metadata: { name: 'front' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  } as never)
  await at('pods').create({
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      serviceAccountName: 'default',
      containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 'keys' } }] }],
      volumes: [
        { name: 'v', configMap: { name: 'settings' } },
        { name: 'd', persistentVolumeClaim: { claimName: 'disk' } },
      ],
    },
  } as never)
  const link = (name: string) => open.page.getByRole('link', { name, exact: true })
  await goTo(open.page, '/o/core/v1/pods/default/web/references')
  for (const name of ['Secret keys', 'PersistentVolumeClaim disk', 'ServiceAccount default', 'ConfigMap settings'])
    await link(name).waitFor()
  await open.page.getByRole('button', { name: 'Search all types' }).click()
  await link('Service front').click()
  await open.page.getByRole('tab', { name: 'References' }).click()
  await link('Pods with app=web').click()
  await open.cell('web').waitFor()
  await goTo(open.page, '/o/core/v1/configmaps/default/settings/references')
  await open.page.getByRole('button', { name: 'Search all types' }).click()
  await link('Pod web').waitFor()
})

it('shows the panel and the page of a plugin', async () => {
  const beacons = open.server.client
    .resource({ group: 'example.com', version: 'v1', resource: 'beacons' })
    .in('default')
  await beacons.create({ metadata: { name: 'north' }, spec: { color: 'teal' } } as never)
  await goTo(open.page, '/o/example.com/v1/beacons/default/north')
  await open.page.getByRole('button', { name: 'Switch on teal' }).click()
  await open.page.getByRole('button', { name: 'Switch off teal' }).waitFor()
  await open.page.getByRole('link', { name: 'Beacon wall' }).click()
  await open.page.getByRole('button', { name: 'north: teal' }).click()
  await open.page.getByRole('heading', { name: 'north' }).waitFor()
})

it('shows the server: plugins, the admission chain, control loops and metrics', async () => {
  await goTo(open.page, '/server')
  await open.page.getByRole('rowheader', { name: '1. NamespaceLifecycle' }).waitFor()
  await open.page.getByRole('rowheader', { name: 'endpoint', exact: true }).waitFor()
  await open.text('custom-resources')
})

it('shows the last error of a control loop, without any content of the object', async () => {
  await open.page
    .getByRole('row', { name: /^unlucky \d+ \d+ \d+ Forbidden \(beacons.example.com\), \d+s ago$/ })
    .waitFor()
  assert.is(await open.page.getByText('hush').count(), 0)
})

it('marks what is not permitted, also while viewing as another user', async () => {
  const { token } = await open.server.addUser({ name: 'jane' })
  const other = await open.browser.newPage()
  await signIn(other, open.server.baseUrl, token ?? '')
  await other.getByText(/types are served, 0 of which you may list/).waitFor()
  await goTo(other, '/r/core/v1/secrets')
  await other.getByText('Not permitted').first().waitFor()
  await other.getByText(/User "jane" cannot list resource "secrets"/).waitFor()
  await other.context().close()

  await open.page.getByRole('button', { name: /^Signed in as/ }).click()
  await open.page.getByRole('button', { name: 'View as…' }).click()
  await open.page.getByLabel('User').fill('john')
  await open.page.getByRole('button', { name: 'View', exact: true }).click()
  await goTo(open.page, '/r/core/v1/configmaps')
  await open.text(/User "john" cannot list resource "configmaps"/)
  await open.page.getByRole('button', { name: 'Stop viewing as john' }).click()
  await open.cell('apple').waitFor()
})

it('can be used without a mouse', async () => {
  await goTo(open.page, '/')
  await open.page.getByRole('heading', { name: 'orch', exact: true }).waitFor()
  await open.page.keyboard.press('Control+k')
  await open.page.getByRole('combobox', { name: 'Search types and commands' }).waitFor()
  await open.page.keyboard.type('cm apple')
  await open.page.getByRole('option', { name: 'ConfigMap: apple' }).waitFor()
  await open.page.keyboard.press('Enter')
  await open.cell('apple').waitFor()
  await open.page.keyboard.press('/')
  assert.is(await open.page.getByLabel('Filter rows by text').evaluate(e => e === e.ownerDocument.activeElement), true)
  for (let step = 0; step < 12; step++) {
    if (await open.page.getByRole('grid').evaluate(e => e === e.ownerDocument.activeElement)) break
    await open.page.keyboard.press('Tab')
  }
  await open.page.keyboard.press('ArrowDown')
  await open.page.keyboard.press('Space')
  await open.page.getByText('1 selected').waitFor()
  await open.page.keyboard.press('?')
  await open.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await open.page.keyboard.press('Escape')
  await open.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' })
  await open.page.keyboard.press('Enter')
  await open.page.getByRole('heading', { name: 'apple' }).waitFor()
})

it('search keeps the chosen namespace', async () => {
  await goTo(open.page, '/r/core/v1/configmaps?ns=default')
  await open.cell('apple').waitFor()
  await open.page.keyboard.press('Control+k')
  await open.page.getByRole('combobox', { name: 'Search types and commands' }).waitFor()
  await open.page.keyboard.type('secrets word')
  await open.page.keyboard.press('Enter')
  await eventually('the address', () => open.page.url().endsWith('/r/core/v1/secrets?ns=default&text=word'))
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

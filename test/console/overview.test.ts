import { definePlugin, forbidden } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
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
const simulationRules = [
  { match: { labels: { app: 'stuck' } }, waiting: { reason: 'ImagePullBackOff', message: 'no such image' } },
  { match: { ownerKinds: ['Job'] }, runFor: '0s', exitCode: 3 },
]

const it = suite('the overview of the console')
let open: OpenConsole
it.before(async () => {
  open = await openConsole({ morePlugins: [unlucky], options: { simulateNodes: 2, simulationRules } })
  const { client, installCrds } = open.server
  const container = { name: 'c', image: 'i' }
  await at('', 'pods').create({
    metadata: { name: 'stuck', labels: { app: 'stuck' } },
    spec: { containers: [container] },
  } as never)
  const template = { spec: { restartPolicy: 'Never', containers: [container] } }
  await at('batch', 'jobs').create({ metadata: { name: 'import' }, spec: { backoffLimit: 0, template } } as never)
  await at('', 'resourcequotas').create({
    metadata: { name: 'few' },
    spec: { hard: { 'count/resourcequotas': '1' } },
  } as never)
  const status = { type: 'object', 'x-orch-preserve-unknown-fields': true }
  await installCrds({
    apiVersion: 'apiextensions.orch.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'wells.water.example' },
    spec: {
      group: 'water.example',
      scope: 'Namespaced',
      names: { plural: 'wells', singular: 'well', kind: 'Well' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { status } } },
        },
      ],
    },
  } as never)
  const conditions = [{ type: 'Ready', status: 'False', reason: 'Dry', message: 'there is no water' }]
  await at('water.example', 'wells').create({
    apiVersion: 'water.example/v1',
    kind: 'Well',
    metadata: { name: 'old' },
    status: { conditions },
  } as never)
  await client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({
    metadata: { name: 'shop' },
  } as never)
})
it.after(() => open?.close())
const at = (group: string, resource: string, namespace = 'default') =>
  open.server.client.resource({ group, version: 'v1', resource }).in(namespace)
const card = (name: string, page: Page = open.page) => page.getByRole('region', { name })
const failing = (text: string | RegExp) => card('Failing now').getByRole('listitem').filter({ hasText: text }).first()

it('shows the health of the server, of control loops and of nodes', async () => {
  await goTo(open.page, '/')
  const tile = (text: RegExp) => open.page.getByRole('list', { name: 'Health' }).getByText(text).waitFor()
  await tile(/^Ready$/)
  await tile(/^\d+ checks pass$/)
  await tile(/^1 with errors$/)
  await tile(/^2 of 2 ready$/)
  await open.page.locator('.verdict.bad', { hasText: /^\d+ problems$/ }).waitFor()
})

it('lists problems: waiting Pods, failed Jobs, full quotas, control loops, custom objects', async () => {
  await failing(/^Pod ImagePullBackOff/).waitFor()
  await failing(/^Job BackoffLimitExceeded/).waitFor()
  await failing(/Quota is used up/).waitFor()
  await failing(/Loop unlucky has errors/).waitFor()
  await failing(/^Well Dry.*there is no water/)
    .getByRole('link', { name: 'default/old' })
    .click()
  await open.page.getByRole('heading', { name: 'old' }).waitFor()
})

it('lists expiring certificates, old backups, and webhooks that reject requests', async () => {
  const soon = Date.now() / 1000 + 2 * 86_400
  await open.page.route('**/metrics?*', async route => {
    const response = await route.fetch()
    const more = [
      `apiserver_certificate_expiration_timestamp_seconds{certificate="ca"} ${soon}`,
      `storage_backup_last_success_timestamp_seconds ${soon - 9 * 86_400}`,
      'apiserver_admission_webhook_rejection_count{name="gate.example"} 7',
    ]
    await route.fulfill({ response, body: `${await response.text()}\n${more.join('\n')}\n` })
  })
  await goTo(open.page, '/')
  await failing('Certificate ca expires soon').waitFor()
  await failing('The last backup is old').waitFor()
  await failing(/Webhook gate\.example rejects.*7 requests rejected/).waitFor()
  await open.page.unroute('**/metrics?*')
})

it('is live: new problems appear, solved ones disappear', async () => {
  await at('water.example', 'wells').delete('old')
  await failing(/^Well/).waitFor({ state: 'detached' })
  await at('', 'pods').create({
    metadata: { name: 'stuck-too', labels: { app: 'stuck' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  } as never)
  await failing('2 objects').waitFor()
  await card('Recent warnings').getByText('Live').waitFor()
  await at('', 'events').create({
    metadata: { name: 'leak' },
    involvedObject: { kind: 'Pod', apiVersion: 'v1', name: 'stuck', namespace: 'default' },
    reason: 'Leaking',
    message: 'water is coming out',
    type: 'Warning',
    lastTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
  } as never)
  await card('Recent warnings').getByText('water is coming out').waitFor()
})

const navigation = () => open.page.getByRole('navigation', { name: 'Types' })

it('lists types by purpose, with counts; custom types by group; or all by API group', async () => {
  const workloads = navigation().getByRole('region', { name: 'Workloads' })
  await workloads
    .getByRole('listitem')
    .filter({ hasText: /^Pod3 objects/ })
    .waitFor()
  for (const name of ['Network', 'Storage', 'Configuration', 'Access', 'Policies', 'Extensions', 'water.example'])
    await navigation().getByRole('region', { name, exact: true }).waitFor()
  const purposes = open.page.locator('.cards > .card', { hasText: 'Workloads' })
  await purposes
    .getByRole('listitem')
    .filter({ hasText: /^Pod3$/ })
    .waitFor()
  await navigation().getByRole('button', { name: 'Show API groups' }).click()
  await navigation().getByRole('region', { name: 'apps' }).waitFor()
  await navigation().getByRole('button', { name: 'Show by purpose' }).click()
})

it('remembers favourites, recently viewed objects, and collapsed sections', async () => {
  await navigation().getByRole('button', { name: 'Secret: favourite' }).click()
  await navigation().getByRole('button', { name: 'Storage', exact: true }).click()
  await goTo(open.page, '/o/core/v1/pods/default/stuck/yaml')
  await open.page.getByRole('heading', { name: 'stuck' }).waitFor()
  await goTo(open.page, '/')
  await open.page.reload()
  await navigation().getByRole('region', { name: 'Favourites' }).getByRole('link', { name: 'Secret' }).waitFor()
  assert.is(await navigation().getByRole('link', { name: 'StorageClass' }).count(), 0)
  await navigation()
    .getByRole('region', { name: 'Recently viewed' })
    .getByRole('link', { name: /stuck Pod/ })
    .click()
  await open.page.getByRole('heading', { name: 'stuck' }).waitFor()
})

it('describes the view in the title of the tab', async () => {
  const titled = (wanted: string) => eventually(wanted, async () => (await open.page.title()) === wanted)
  await titled('stuck · Pod · orch')
  await goTo(open.page, '/r/core/v1/configmaps')
  await titled('ConfigMap · orch')
  await goTo(open.page, '/new/core/v1/configmaps')
  await titled('New ConfigMap · orch')
  await goTo(open.page, '/')
  await titled('orch console')
})

it('says who is signed in and what they may do', async () => {
  await open.page.getByRole('button', { name: 'Signed in as test-administrator' }).click()
  const panel = open.page.getByRole('dialog', { name: 'Signed in as test-administrator' })
  await panel.getByText('system:masters').waitFor()
  await panel.getByText('You may do everything.').waitFor()
  await panel.getByRole('button', { name: 'View as…' }).waitFor()
  await open.page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

it('opens the only namespace in which a user has permissions, without View as…', async () => {
  const roles = 'rbac.authorization.orch.io'
  await at(roles, 'roles', 'shop').create({
    metadata: { name: 'keeper' },
    rules: [{ apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['*'] }],
  } as never)
  await at(roles, 'rolebindings', 'shop').create({
    metadata: { name: 'keeper' },
    roleRef: { apiGroup: roles, kind: 'Role', name: 'keeper' },
    subjects: [{ apiGroup: roles, kind: 'User', name: 'jane' }],
  } as never)
  await at('', 'configmaps', 'shop').create({ metadata: { name: 'hers' } } as never)
  const { token } = await open.server.addUser({ name: 'jane' })
  const page = await open.browser.newPage()
  await signIn(page, open.server.baseUrl, token ?? '')
  await page.getByText(/2 of which you may list in the namespace shop/).waitFor()
  await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'ConfigMap', exact: true }).click()
  await page.getByRole('gridcell', { name: 'hers', exact: true }).waitFor()
  await goTo(page, '/r/core/v1/pods')
  await eventually('the namespace in the address', () => page.url().endsWith('/r/core/v1/pods?ns=shop'))
  await page.getByRole('button', { name: 'Signed in as jane' }).click()
  const panel = page.getByRole('dialog', { name: 'Signed in as jane' })
  await panel.getByText('You have no permissions that apply to all namespaces. Roles grant you more in:').waitFor()
  await panel.getByRole('link', { name: 'shop' }).waitFor()
  assert.is(await page.getByRole('button', { name: 'View as…' }).count(), 0)
  await page.context().close()
})

it('does not claim that all is fine where the user may not look', async () => {
  const { token } = await open.server.addUser({ name: 'john' })
  const page = await open.browser.newPage()
  await page.route('**/readyz?verbose', route => route.fulfill({ status: 403, body: 'forbidden' }))
  await signIn(page, open.server.baseUrl, token ?? '')
  const tile = (name: string) =>
    page.getByRole('list', { name: 'Health' }).getByRole('listitem').filter({ hasText: name })
  await tile('Server').getByText('Ready', { exact: true }).waitFor()
  await tile('Nodes').getByText('cannot be listed').waitFor()
  await tile('Control loops').getByText('Not permitted').waitFor()
  await card('Recent warnings', page).getByText('Events cannot be listed.').waitFor()
  await page.locator('.verdict', { hasText: /^No problems found$/ }).waitFor()
  await page.context().close()
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

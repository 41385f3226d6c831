import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { barriersIn } from './axe.js'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const it = suite('pages of objects in the console')
let open: OpenConsole
const at = (group: string, resource: string, version = 'v1') =>
  open.server.client.resource({ group, version, resource }).in('default')
const deployment = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image, envFrom: [{ configMapRef: { name: 'settings' } }] }] },
    },
  },
})
it.before(async () => {
  const simulationRules = [{ match: {}, log: ['{container} of {pod} starts', 'listening'] }]
  open = await openConsole({ options: { simulateNodes: 1, simulationRules } })
  await at('', 'configmaps').create({ metadata: { name: 'settings' }, data: { mode: 'fast' } } as never)
  await at('apps', 'deployments').apply(deployment('web:1') as never, { fieldManager: 'gitops' })
  await open.server.installCrds({
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
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'A hole in the ground from which water is drawn.',
              properties: {
                spec: {
                  type: 'object',
                  required: ['depth'],
                  properties: {
                    depth: { type: 'integer', minimum: 1, description: 'How deep it is, in metres.' },
                    lining: { type: 'string', enum: ['brick', 'stone'], description: 'What its wall is made of.' },
                    lid: { type: 'boolean', description: 'Is it covered?' },
                    owners: { type: 'array', items: { type: 'string' }, description: 'Who may draw.' },
                  },
                },
              },
            },
          },
        },
      ],
    },
  } as never)
})
it.after(() => open?.close())
const dialog = () => open.page.getByRole('dialog')
const button = (name: string) => open.page.getByRole('button', { name, exact: true })

it('the graph shows owners and references, and every box is a link', async () => {
  const pods = async () =>
    (await at('', 'pods').list()).items.filter(({ metadata }) => metadata.name?.startsWith('web-'))
  await eventually('the Pod', async () => (await pods()).length === 1)
  await goTo(open.page, '/o/apps/v1/deployments/default/web/tree')
  const node = (name: string | RegExp) => open.page.locator('.graph').getByRole('link', { name })
  await node('ConfigMap settings').waitFor()
  await node(/^ReplicaSet web-/).click()
  await open.page.getByRole('heading', { name: /^web-/ }).waitFor()
  await node('Deployment web').waitFor()
  await node(/^Pod web-/).click()
  await node('Node node-1').waitFor()
  await node('ConfigMap settings').click()
  await open.page.getByRole('heading', { name: 'settings' }).waitFor()
  await button('Find what refers to it').click()
  await node('Deployment web').click()
  await open.page.getByRole('heading', { name: 'web', exact: true }).waitFor()
})

it('conditions, events and writes are in one timeline, newest first', async () => {
  await goTo(open.page, '/o/apps/v1/deployments/default/web/timeline')
  const moments = open.page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await moments.filter({ hasText: 'ScalingReplicaSet' }).waitFor()
  await moments.filter({ hasText: 'Available: True' }).waitFor()
  await moments.filter({ hasText: 'Last applied by gitops' }).waitFor()
  await moments.filter({ hasText: 'Created' }).waitFor()
  const times = await open.page
    .locator('.timeline time')
    .evaluateAll(all => all.map(each => each.getAttribute('datetime')))
  assert.equal(times, [...times].sort().reverse())
  await open.page.getByRole('checkbox', { name: /^Conditions/ }).uncheck()
  await moments.filter({ hasText: 'Available: True' }).waitFor({ state: 'detached' })
})

it('shows the log of a simulated Pod', async () => {
  const [pod] = (await at('', 'pods').list({ labelSelector: 'app=web' })).items
  await goTo(open.page, `/o/core/v1/pods/default/${pod?.metadata.name}`)
  await open.page.getByRole('tab', { name: 'Log' }).click()
  const log = open.page.getByRole('log', { name: 'Log of web' })
  await log.getByText(`web of ${pod?.metadata.name} starts`).waitFor()
  await open.page.getByLabel('Filter lines').fill('listen')
  await log.getByText('starts').waitFor({ state: 'detached' })
})

it('commands run in a simulated Pod, with their input, exit code and earlier lines, by keyboard alone', async () => {
  const [pod] = (await at('', 'pods').list({ labelSelector: 'app=web' })).items
  const name = pod?.metadata.name ?? ''
  await goTo(open.page, `/o/core/v1/pods/default/${name}`)
  await open.page.getByRole('tab', { name: 'Terminal' }).click()
  const terminal = open.page.getByRole('log', { name: `Terminal of ${name}` })
  const command = open.page.getByLabel('Command', { exact: true })
  const enter = async (line: string) => {
    await command.fill(line)
    await command.press('Enter')
  }
  await enter('echo "I am $HOSTNAME"')
  await terminal.getByText(`I am ${name}`).waitFor()
  await enter('nonsense')
  await terminal.locator('.error').waitFor()
  await terminal.getByText('ended with exit code 127').waitFor()
  await command.press('ArrowUp')
  await command.press('ArrowUp')
  assert.is(await command.inputValue(), 'echo "I am $HOSTNAME"')
  await enter('cat')
  const input = open.page.getByLabel('Input', { exact: true })
  await input.fill('typed')
  await input.press('Enter')
  await terminal.locator('.output', { hasText: 'typed' }).waitFor()
  await input.press('Control+d')
  await command.waitFor()
  assert.equal(await barriersIn(open.page), [])
  await button('Attach').click()
  await input.fill('ping')
  await input.press('Enter')
  await terminal.locator('.output', { hasText: 'ping' }).waitFor()
  await input.press('Control+c')
  await terminal.getByText('Disconnected.').waitFor()
  await button('Clear').click()
  assert.is(await terminal.textContent(), '')
})

it('shows, scales and rolls back a rollout, each change after its diff', async () => {
  await at('apps', 'deployments').apply(deployment('web:2') as never, { fieldManager: 'gitops' })
  await goTo(open.page, '/o/apps/v1/deployments/default/web/rollout')
  await open.page.getByRole('row', { name: /^2 current web:2/ }).waitFor()
  await open.page.getByText(/^Updated: \d of 1$/).waitFor()
  await button('Roll back to 1').click()
  await dialog().locator('.mine', { hasText: 'image: web:1' }).waitFor()
  await dialog().locator('.removed', { hasText: 'image: web:2' }).waitFor()
  await dialog().getByRole('button', { name: 'Roll back' }).click()
  await open.page.getByRole('row', { name: /^3 current web:1/ }).waitFor()
  await button('Scale').click()
  await dialog().getByLabel('Replicas').fill('2')
  await dialog().locator('.mine', { hasText: 'replicas: 2' }).waitFor()
  await dialog().getByRole('button', { name: 'Scale' }).click()
  await open.page.getByText(/^Updated: \d of 2$/).waitFor()
})

it('shows the manager of each field beside it', async () => {
  await goTo(open.page, '/o/apps/v1/deployments/default/web')
  const pair = open.page.locator('.pair', { hasText: /^matchLabels|^app/ }).first()
  await pair.getByText('gitops').waitFor()
  await open.page
    .locator('.pair', { hasText: /^replicas/ })
    .first()
    .getByText('console')
    .waitFor()
})

it('values of a Secret are in no view unless requested', async () => {
  const word = 'open sesame'
  const hidden = Buffer.from(word).toString('base64')
  await at('', 'secrets').create({ metadata: { name: 'keys' }, stringData: { password: word } } as never)
  await at('', 'secrets').patch('keys', {
    metadata: { annotations: { 'orch.io/last-applied-configuration': `{"stringData":{"password":"${word}"}}` } },
    stringData: { other: 'x' },
  })
  for (const tab of ['', '/yaml', '/json', '/history', '/timeline']) {
    await goTo(open.page, `/o/core/v1/secrets/default/keys${tab}`)
    await open.page.locator('.summary .card, .cm-line, .versions li, .timeline li').first().waitFor()
    const text = await open.page.locator('main').textContent()
    const code = tab === '/yaml' || tab === '/json' ? await open.page.locator('.cm-content').textContent() : ''
    assert.not(`${text}${code}`.includes(word), tab)
    assert.not(`${text}${code}`.includes(hidden), tab)
  }
  await goTo(open.page, '/o/core/v1/secrets/default/keys/yaml')
  await button('Show values').click()
  await open.page.locator('.cm-line', { hasText: hidden }).waitFor()
})

it('a form from the schema describes fields and creates objects, also of custom types', async () => {
  await goTo(open.page, '/new/water.example/v1/wells?ns=default')
  await open.text('A hole in the ground from which water is drawn.')
  await open.page.getByLabel('name required').fill('deep')
  const depth = open.page.getByLabel('depth required')
  await depth.fill('12')
  assert.is(
    await depth.getAttribute('aria-describedby').then(id => open.page.locator(`[id="${id}"]`).textContent()),
    'How deep it is, in metres.',
  )
  await open.page.getByLabel('Add a field to spec').selectOption('lining')
  await open.page.getByLabel('lining', { exact: true }).selectOption('stone')
  await open.page.getByLabel('Add a field to spec').selectOption('lid')
  await open.page.getByLabel('lid', { exact: true }).check()
  await open.page.getByLabel('Add a field to spec').selectOption('owners')
  await button('Add an item to spec.owners').click()
  await open.page.getByLabel('Item 1').fill('jane')
  await button('Create').click()
  await open.page.getByRole('heading', { name: 'deep' }).waitFor()
  const stored = (await at('water.example', 'wells').get('deep')) as never as { spec: unknown }
  assert.equal(stored.spec, { depth: 12, lining: 'stone', lid: true, owners: ['jane'] })
})

it('an edit in a form shows its diff, also for an object that another client created', async () => {
  await at('water.example', 'wells').create(
    { apiVersion: 'water.example/v1', kind: 'Well', metadata: { name: 'old' }, spec: { depth: 3 } } as never,
    { fieldManager: 'kubectl-create' },
  )
  await goTo(open.page, '/o/water.example/v1/wells/default/old/yaml')
  await button('Edit').click()
  await open.page.getByLabel('depth required').fill('4')
  await button('Review changes').click()
  await dialog().locator('.mine', { hasText: 'depth: 4' }).waitFor()
  await dialog().getByText('kubectl-create').waitFor()
  await dialog().getByRole('checkbox').check()
  await dialog().getByRole('button', { name: 'Apply' }).click()
  await dialog().waitFor({ state: 'detached' })
  const stored = (await at('water.example', 'wells').get('old')) as never as { spec: unknown }
  assert.equal(stored.spec, { depth: 4 })
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

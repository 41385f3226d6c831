import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { certificateRequest } from './certificate-request.js'
import { type OpenConsole, openConsole } from './open-console.js'

const it = suite('changing things in the console')
let open: OpenConsole
it.before(async () => {
  open = await openConsole()
})
it.after(() => open?.close())
const configmaps = () => open.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')

it('reviews an edit: the changes, additions by the server, and conflicts', async () => {
  const deployments = open.server.client
    .resource({ group: 'apps', version: 'v1', resource: 'deployments' })
    .in('default')
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template }
  await deployments.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec } as never, {
    fieldManager: 'gitops',
  })
  await goTo(open.page, '/o/apps/v1/deployments/default/web/yaml')
  await open.page.getByText('gitops').first().waitFor()
  await open.page.getByRole('button', { name: 'Edit' }).click()
  await open.page.getByRole('button', { name: 'YAML' }).click()
  const editor = open.page.getByRole('textbox', { name: 'web as YAML' })
  await editor.locator('.cm-line', { hasText: 'replicas: 2' }).first().click()
  await editor.press('End')
  await editor.press('Backspace')
  await editor.pressSequentially('5')
  await open.page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = open.page.getByRole('dialog', { name: 'Review changes' })
  const cells = dialog.getByRole('cell')
  await cells.first().waitFor()
  assert.equal(await cells.allTextContents(), ['spec.replicas', 'gitops'])
  // The diff is shown before the user decides about conflicts.
  await dialog.getByText('replicas: 5').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Apply' }).isDisabled())
  await dialog.getByRole('checkbox').check()
  await dialog.getByText('replicas: 5').waitFor()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { spec: stored, metadata } = (await deployments.get('web')) as never as {
    spec: { replicas: number }
    metadata: { managedFields: { manager: string; fieldsV1: object }[] }
  }
  assert.is(stored.replicas, 5)
  const ofConsole = metadata.managedFields.find(({ manager }) => manager === 'console')
  assert.equal(ofConsole?.fieldsV1, { 'f:spec': { 'f:replicas': {} } })
})

it('scales, and draws the graph of owners', async () => {
  await goTo(open.page, '/o/apps/v1/deployments/default/web')
  await open.page.getByRole('button', { name: 'Scale', exact: true }).click()
  const dialog = open.page.getByRole('dialog')
  await dialog.getByLabel('Replicas').fill('3')
  await dialog.locator('.mine', { hasText: 'replicas: 3' }).waitFor()
  await dialog.getByRole('button', { name: 'Scale' }).click()
  await dialog.waitFor({ state: 'detached' })
  const pods = open.server.client.resource({ group: '', version: 'v1', resource: 'pods' }).in('default')
  await eventually('three Pods', async () => (await pods.list()).items.length === 3, 60_000)
  await goTo(open.page, '/o/apps/v1/deployments/default/web/tree')
  await open.page.getByRole('link', { name: /^ReplicaSet web-/ }).waitFor()
  assert.is(await open.page.getByRole('link', { name: /^Pod web-/ }).count(), 3)
})

it('lists dependents before a deletion', async () => {
  await goTo(open.page, '/o/apps/v1/deployments/default/web')
  await open.page.getByRole('button', { name: 'Delete' }).click()
  const dialog = open.page.getByRole('dialog')
  await dialog.getByText('4 objects depend on it').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await open.text('Deleted')
})

it('decodes a certificate request, and approves it', async () => {
  const group = 'certificates.orch.io'
  const requests = open.server.client.resource({ group, version: 'v1', resource: 'certificatesigningrequests' })
  const request = await certificateRequest('jane', ['ops'])
  await requests.create({
    metadata: { name: 'jane' },
    spec: { request, signerName: 'orch.io/apiserver-client', usages: ['client auth'] },
  } as never)
  await goTo(open.page, `/o/${group}/v1/certificatesigningrequests/-/jane`)
  await open.text('ECDSA P-256')
  await open.page.getByText('ops', { exact: true }).first().waitFor()
  await open.page.getByRole('button', { name: 'Approve' }).click()
  const dialog = open.page.getByRole('dialog', { name: 'Approve jane' })
  await dialog.locator('.mine', { hasText: 'type: Approved' }).waitFor()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await open.page.getByRole('row', { name: /Approved/ }).waitFor()
})

it('shows values of a Secret on request only, decoded', async () => {
  const secrets = open.server.client.resource({ group: '', version: 'v1', resource: 'secrets' }).in('default')
  await secrets.create({ metadata: { name: 'hidden' }, stringData: { password: 'open sesame' } } as never)
  await goTo(open.page, '/o/core/v1/secrets/default/hidden')
  await open.page.getByRole('button', { name: 'Show password' }).waitFor()
  assert.not((await open.page.content()).includes('open sesame'))
  assert.not((await open.page.content()).includes(Buffer.from('open sesame').toString('base64')))
  await open.page.getByRole('button', { name: 'Show password' }).click()
  await open.text('open sesame')
})

it('creates an object from the template of its schema', async () => {
  await goTo(open.page, '/new/core/v1/configmaps?ns=default')
  await open.page.getByRole('button', { name: 'YAML' }).click()
  await open.page.getByRole('textbox', { name: 'New ConfigMap as YAML' }).waitFor()
  await open.page.getByRole('button', { name: 'Create' }).click()
  await open.page.getByRole('heading', { name: 'my-configmap' }).waitFor()
  assert.ok(await configmaps().find('my-configmap'))
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

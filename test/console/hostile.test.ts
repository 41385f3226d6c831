import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

/** Would run scripts or break the page if it were rendered as anything but text. */
const markup = '</script><img src=x onerror=alert(1)><svg onload=alert(2)>{{alert(3)}}'
const longText = 'w'.repeat(5000)
const rightToLeft = '\u202etxet desrever\u202c שלום'
const texts = { markup, longText, rightToLeft, 'javascript:alert(4)': '"><script>alert(5)</script>' }

const it = suite('hostile objects in the console')
let open: OpenConsole
const group = 'evil.example'

it.before(async () => {
  open = await openConsole()
  const { client, installCrds } = open.server
  await installCrds({
    apiVersion: 'apiextensions.orch.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'evils.evil.example' },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'evils', singular: 'evil', kind: 'Evil', shortNames: ['ev'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [
            { name: '<b onmouseover=alert(6)>Column', type: 'string', jsonPath: '.spec.markup', description: markup },
          ],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: markup,
              properties: {
                spec: {
                  type: 'object',
                  description: markup,
                  'x-kubernetes-preserve-unknown-fields': true,
                  'x-orch-preserve-unknown-fields': true,
                },
                status: { type: 'object', 'x-orch-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  } as never)
  const evils = client.resource({ group, version: 'v1', resource: 'evils' }).in('default')
  const owner = { apiVersion: '<i>/v1', kind: '<img/src=x>', name: markup, uid: 'none' }
  const conditions = [{ type: markup, status: '<u>', reason: markup, message: markup, lastTransitionTime: markup }]
  const made = await evils.create({
    apiVersion: `${group}/v1`,
    kind: 'Evil',
    metadata: { name: 'evil', annotations: { 'evil.example/a': markup }, ownerReferences: [owner] },
    spec: { ...texts, configMap: { name: markup }, nodeName: markup },
    status: { conditions },
  } as never)
  await client
    .resource({ group: '', version: 'v1', resource: 'events' })
    .in('default')
    .create({
      metadata: { name: 'evil' },
      involvedObject: {
        kind: 'Evil',
        name: 'evil',
        namespace: 'default',
        uid: (made as { metadata: { uid: string } }).metadata.uid,
      },
      reason: '<b>reason',
      message: markup,
      source: { component: markup.slice(0, 60) },
      type: 'Normal',
    } as never)
})
it.after(() => open?.close())

const object = `/o/${group}/v1/evils/default/evil`
const views: Readonly<Record<string, string>> = {
  'the table': `/r/${group}/v1/evils?wide=1&sort=${encodeURIComponent(markup)}&text=${encodeURIComponent('onerror')}`,
  'the summary': object,
  YAML: `${object}/yaml`,
  JSON: `${object}/json`,
  timeline: `${object}/timeline`,
  owners: `${object}/tree`,
  references: `${object}/references`,
  history: `${object}/history`,
  access: `${object}/access`,
  creation: `/new/${group}/v1/evils`,
  'a page that does not exist': `/page/${encodeURIComponent(markup)}`,
  'a type that does not exist': `/r/${encodeURIComponent(markup)}/v1/${encodeURIComponent(markup)}`,
  'an object that does not exist': `/o/${group}/v1/evils/default/${encodeURIComponent('<img src=x onerror=alert(7)>')}`,
}
/** Views that show the text of the object itself. */
const showsText = ['the table', 'the summary', 'YAML', 'JSON', 'timeline', 'references']

for (const [name, view] of Object.entries(views))
  it(`${name}: are text`, async () => {
    await goTo(open.page, view)
    await open.page.locator('main h1, main .notice').first().waitFor()
    if (showsText.includes(name)) await open.page.getByText('onerror=alert(1)').first().waitFor()
    const foreign = await open.page.evaluate(() => {
      const { document } = globalThis as unknown as {
        document: { querySelectorAll(s: string): ArrayLike<{ outerHTML: string }> }
      }
      const found = document.querySelectorAll(
        'main img, main script, main iframe, main b, main i, main u, [onerror], [onload]',
      )
      return Array.from(found).map(({ outerHTML }) => outerHTML)
    })
    assert.equal(foreign, [])
    assert.equal(open.browser.complaints, [])
  })

it('in the review of an edit and in a deletion: are text', async () => {
  await goTo(open.page, `${object}/yaml`)
  await open.page.getByRole('button', { name: 'Edit' }).click()
  await open.page.getByRole('button', { name: 'YAML' }).click()
  const editor = open.page.getByRole('textbox', { name: 'evil as YAML' })
  await editor.press('Control+Home')
  await editor.press('Control+End')
  await editor.pressSequentially('extra: 1\n')
  await open.page.getByRole('button', { name: 'Review changes' }).click()
  await open.page.getByRole('dialog').waitFor()
  await open.page.getByRole('button', { name: 'Cancel' }).click()
  await open.page.getByRole('button', { name: 'Delete' }).click()
  await open.page.getByText('It has no dependents that you may list.').waitFor()
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { barriersIn } from './axe.js'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const it = suite('the console for everybody')
let open: OpenConsole
it.before(async () => {
  open = await openConsole()
  const configmaps = open.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
  await configmaps.create({
    metadata: { name: 'apple', labels: { tier: 'gold' } },
    data: { a: 'b', text: 'c\nd' },
  } as never)
  const metadata = { labels: { app: 'web' } }
  const template = {
    metadata,
    spec: { containers: [{ name: 'web', image: 'web:1', env: [{ name: 'A', value: 'b' }] }] },
  }
  await open.server.client
    .resource({ group: 'apps', version: 'v1', resource: 'deployments' })
    .in('default')
    .create({ metadata: { name: 'web' }, spec: { selector: { matchLabels: metadata.labels }, template } } as never)
  await open.server.client
    .resource({ group: '', version: 'v1', resource: 'secrets' })
    .in('default')
    .create({ metadata: { name: 'keys' }, stringData: { password: 'open sesame' } } as never)
})
it.after(() => open?.close())

const object = '/o/core/v1/configmaps/default/apple'
const workload = '/o/apps/v1/deployments/default/web'
/** Every view, and what is there when it is complete. */
const views: Readonly<Record<string, readonly [view: string, complete: string]>> = {
  home: ['/', '.problems li, .tiles li'],
  table: ['/r/core/v1/configmaps', '.grid .body .row'],
  'empty table': ['/r/core/v1/limitranges', '.empty p'],
  summary: [object, '.summary .chips li'],
  workload: [workload, '.set-by'],
  rollout: [`${workload}/rollout`, 'tbody tr'],
  references: [`${workload}/references`, '.summary button'],
  secret: ['/o/core/v1/secrets/default/keys', '.summary dd button'],
  YAML: [`${object}/yaml`, '.cm-line'],
  JSON: [`${object}/json`, '.cm-line'],
  timeline: [`${object}/timeline`, '.timeline li'],
  owners: [`${object}/tree`, '.graph rect'],
  history: [`${object}/history`, '.versions li'],
  access: [`${object}/access`, 'tbody tr'],
  creation: ['/new/core/v1/configmaps', '.schema-form input'],
  server: ['/server', 'tbody tr'],
}
const inDark = ['home', 'table', 'summary', 'timeline', 'creation']
async function show(name: string): Promise<void> {
  const [view, complete] = views[name]!
  await goTo(open.page, view)
  await open.page.locator(complete).first().waitFor()
}

const barriersNow = (rules: object = {}) => barriersIn(open.page, rules)

for (const name of Object.keys(views))
  it(`has no barrier in the view ${name}, light or dark`, async () => {
    await show(name)
    await open.page.emulateMedia({ colorScheme: 'light' })
    assert.equal(await barriersNow(), [])
    // The other views are made of the same parts, in the same colours.
    if (!inDark.includes(name)) return
    await open.page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await barriersNow({ runOnly: ['color-contrast'] }), [])
    await open.page.emulateMedia({ colorScheme: 'light' })
  })

it('has none on the sign-in page', async () => {
  const stranger = await open.browser.newPage()
  await stranger.goto(`${open.server.baseUrl}/console/`)
  await stranger.getByLabel('Token').waitFor()
  assert.equal(await barriersIn(stranger), [])
  await stranger.context().close()
})

it('has none in its dialogs', async () => {
  await goTo(open.page, `${workload}/yaml`)
  await open.page.getByRole('button', { name: 'Edit' }).click()
  await open.page.getByLabel('replicas', { exact: true }).fill('2')
  assert.equal(await barriersNow(), [])
  await open.page.getByRole('button', { name: 'Review changes' }).click()
  await open.page.getByRole('dialog').locator('.mine', { hasText: 'replicas: 2' }).waitFor()
  assert.equal(await barriersNow(), [])
  await open.page.getByRole('button', { name: 'Cancel' }).click()
  await goTo(open.page, object)
  await open.page.getByRole('button', { name: 'Delete' }).click()
  await open.page.getByText('It has no dependents that you may list.').waitFor()
  assert.equal(await barriersNow(), [])
  await open.page.getByRole('button', { name: 'Cancel' }).click()
  await open.page.getByRole('button', { name: /^Signed in as/ }).click()
  await open.page.getByRole('dialog', { name: /^Signed in as/ }).waitFor()
  assert.equal(await barriersNow(), [])
  await open.page.keyboard.press('Escape')
  await goTo(open.page, '/r/core/v1/configmaps')
  await open.page.getByRole('button', { name: 'Actions for apple' }).click()
  await open.page.getByRole('menu').waitFor()
  assert.equal(await barriersNow(), [])
  await open.page.keyboard.press('Escape')
  await open.page.getByRole('checkbox', { name: 'Select apple' }).check()
  await open.page.getByRole('button', { name: 'Delete…' }).click()
  await open.page.getByText('1 would be deleted').waitFor()
  assert.equal(await barriersNow(), [])
  await open.page.getByRole('button', { name: 'Cancel' }).click()
  await open.page.getByRole('button', { name: 'Columns' }).click()
  assert.equal(await barriersNow(), [])
  await open.page.keyboard.press('Escape')
  await open.page.keyboard.press('Control+k')
  await open.page.getByRole('option').first().waitFor()
  assert.equal(await barriersNow(), [])
  await open.page.keyboard.press('Escape')
})

/** Words that are broken across lines, and text that is clipped without an ellipsis. */
const cutText = `(() => {
  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const box = text.parentElement
    // Text for screen readers has no room, and names in an editor may have any length.
    if (!box.checkVisibility() || box.closest('.unseen, .skip, .cm-editor, pre, code, svg')) continue
    const style = getComputedStyle(box)
    const isClipped = /hidden|clip/.test(style.overflowX) && box.scrollWidth > box.clientWidth + 1
    if (isClipped && style.textOverflow !== 'ellipsis') found.add('cut: ' + text.data)
    for (const { 0: word, index } of text.data.matchAll(/[A-Z]?[a-z]{2,}|[A-Z]{3,}/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) found.add('on two lines: ' + word + ' in ' + text.data.slice(0, 60))
    }
  }
  return [...found]
})()`

it('cuts no word at any width', async () => {
  for (const width of [1440, 1024, 768, 390]) {
    await open.page.setViewportSize({ width, height: 900 })
    for (const name of Object.keys(views)) {
      await show(name)
      assert.equal(await open.page.evaluate(cutText), [], `${name} at ${width}`)
    }
  }
})

it('fits on a phone', async () => {
  await open.page.setViewportSize({ width: 360, height: 740 })
  for (const name of Object.keys(views)) {
    await show(name)
    const width = await open.page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } }
      return document.documentElement.scrollWidth
    })
    assert.ok(width <= 360, `${name} is ${width} wide`)
  }
  await open.page.getByRole('button', { name: 'Types', exact: true }).click()
  await open.page
    .getByRole('navigation', { name: 'Types' })
    .getByRole('link', { name: 'ConfigMap', exact: true })
    .first()
    .click()
  await open.cell('apple').waitFor()
})

if (chromiumPath) it.run()
else console.log(noBrowser)

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const it = suite('the console for everybody')
let open: OpenConsole
it.before(async () => {
  open = await openConsole()
  const configmaps = open.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
  await configmaps.create({ metadata: { name: 'apple', labels: { tier: 'gold' } }, data: { a: 'b' } } as never)
  await open.page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
})
it.after(() => open?.close())

const object = '/o/core/v1/configmaps/default/apple'
/** Every view, and what is there when it is complete. */
const views: Readonly<Record<string, readonly [view: string, complete: string]>> = {
  home: ['/', '.cards li'],
  table: ['/r/core/v1/configmaps', '.grid .body .row'],
  summary: [object, '.summary .chips li'],
  YAML: [`${object}/yaml`, '.cm-line'],
  JSON: [`${object}/json`, '.cm-line'],
  events: [`${object}/events`, '.card p'],
  owners: [`${object}/tree`, '.graph rect'],
  history: [`${object}/history`, '.versions li'],
  access: [`${object}/access`, 'tbody tr'],
  creation: ['/new/core/v1/configmaps', '.cm-line'],
  server: ['/server', 'tbody tr'],
}
async function show(name: string): Promise<void> {
  const [view, complete] = views[name]!
  await goTo(open.page, view)
  await open.page.locator(complete).first().waitFor()
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}
const seriousBarriers = (rules: object = {}) =>
  open.page.evaluate(async options => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'], ...options })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
  }, rules)

for (const name of Object.keys(views))
  it(`has no serious barrier in the view ${name}, light or dark`, async () => {
    await show(name)
    await open.page.emulateMedia({ colorScheme: 'light' })
    assert.equal(await seriousBarriers(), [])
    await open.page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await seriousBarriers({ runOnly: ['color-contrast'] }), [])
  })

it('has none in its dialogs', async () => {
  await goTo(open.page, object)
  await open.page.getByRole('button', { name: 'Delete' }).click()
  await open.page.getByText('Nothing that you may see depends on it.').waitFor()
  assert.equal(await seriousBarriers(), [])
  await open.page.keyboard.press('Escape')
  await open.page.keyboard.press('Control+k')
  await open.page.getByRole('option').first().waitFor()
  assert.equal(await seriousBarriers(), [])
  await open.page.keyboard.press('Escape')
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
  await open.page.getByRole('link', { name: 'ConfigMap', exact: true }).click()
  await open.cell('apple').waitFor()
})

if (chromiumPath) it.run()
else console.log(noBrowser)

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const objects = 50_000
const it = suite('a large collection in the console')
let open: OpenConsole
it.before(async () => {
  open = await openConsole()
  const configmaps = open.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
  const names = Array.from({ length: objects }, (_, at) => `m${String(at).padStart(5, '0')}`)
  const create = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop())
      await configmaps.create({ metadata: { name } } as never)
  }
  await Promise.all(Array.from({ length: 64 }, create))
})
it.after(() => open?.close())

it('is shown from its beginning to its end, with few elements', async () => {
  await goTo(open.page, '/r/core/v1/configmaps?ns=default&text=m')
  await open.cell('m00000').waitFor()
  await open.text(/^50,000 rows/)
  const grid = open.page.getByRole('grid')
  await grid.focus()
  await grid.press('End')
  await open.cell('m49999').waitFor()
  assert.ok((await open.page.getByRole('row').count()) < 100)
  await open.page.getByLabel('Filter rows by text').fill('m31415')
  await open.text(/^1 row of 50,00\d/)
  await open.cell('m31415').waitFor()
})

if (chromiumPath) it.run()
else console.log(noBrowser)

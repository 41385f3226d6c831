import { configuration } from 'orch/plugins/configuration'
import { consolePlugin } from 'orch/plugins/console'
import { namespaces } from 'orch/plugins/namespaces'
import { storageMemory } from 'orch/plugins/storage-memory'
import { type Store, withoutVersion } from 'orch/sdk/host'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKernel, createLogger, type Kernel } from '../../kernel/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { chromiumPath, goTo, noBrowser, TestBrowser } from './browser.js'

const objects = 100_000
const folder = temporaryFolder()
let kernel: Kernel
let browser: TestBrowser
let page: Page

/** Copies a stored object in the store: creating each by the API would take too long. */
async function fill(store: Store, key: string, name: string): Promise<void> {
  const found = await store.get(key)
  assert.ok(found, key)
  const body = withoutVersion(found.body).body.toString('latin1')
  const attributes = found.attributes.toString('latin1')
  const uid = /"uid":"([^"]+)"/.exec(body)?.[1] ?? ''
  const names = Array.from({ length: objects - 1 }, (_, at) => `m${String(at + 1).padStart(6, '0')}`)
  const writes = names.map(other =>
    store.write({
      key: key.replace(name, other),
      body: Buffer.from(body.replaceAll(name, other).replace(uid, `${other}${uid.slice(7)}`), 'latin1'),
      attributes: Buffer.from(attributes.replaceAll(name, other), 'latin1'),
    }),
  )
  await Promise.all(writes)
}

const it = suite('a large collection in the console')
it.before(async () => {
  const plugins = [namespaces, configuration, storageMemory, consolePlugin]
  const config = { plugins, dataDir: folder.path, securePort: 0, tls: false, storageEngine: 'memory' }
  kernel = await createKernel(config, { logger: createLogger({ verbosity: 0, destination: { write() {} } }) })
  const { baseUrl, store } = await kernel.start()
  const [line = ''] = await kernel.startNotices(baseUrl)
  browser = await TestBrowser.open()
  page = await browser.newPage()
  await page.goto(/http\S+/.exec(line)?.[0] ?? '')
  await page.getByText(/types are served/).waitFor()
  await goTo(page, '/new/core/v1/configmaps')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'my-configmap' }).waitFor()
  let stored = ''
  const { items } = await store.list({ prefix: '', keys: true })
  for await (const { keys = [] } of items) stored ||= keys.find(key => key.endsWith('/my-configmap')) ?? ''
  await fill(store, stored, 'my-configmap')
})
it.after(async () => {
  await browser?.close()
  await kernel?.stop()
  folder.remove()
})

it('is shown from beginning to end, with few elements', async () => {
  await goTo(page, '/r/core/v1/configmaps?ns=default')
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true })
  await cell('m000001').waitFor()
  await page.getByText(/^100,000 rows/).waitFor()
  const grid = page.getByRole('grid')
  await grid.focus()
  await grid.press('End')
  await cell('my-configmap').waitFor()
  assert.ok((await page.getByRole('row').count()) < 100)
  // Jumping to a position by the scroll bar shows its rows.
  for (const part of [0.25, 0.75, 0.5]) {
    await grid.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), part)
    await cell(`m${String(objects * part + 5).padStart(6, '0')}`).waitFor()
    assert.ok((await page.getByRole('row').count()) < 100)
  }
  await page.getByLabel('Filter rows by text').fill('m031415')
  await page.getByText('1 row of 100,000').waitFor()
  await cell('m031415').waitFor()
})

if (chromiumPath) it.run()
else console.log(noBrowser)

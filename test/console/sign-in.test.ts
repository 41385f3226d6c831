import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { chromiumPath, goTo, noBrowser, signOut, TestBrowser } from './browser.js'

const folder = temporaryFolder()
let server: RunningServer
let browser: TestBrowser
let page: Page
const start = (flags: readonly string[]) => startOrch({ dataDir: folder.path, flags: ['--controllers=-*', ...flags] })
const linkOf = () => /Console: (\S+)/.exec(server.output())?.[1] ?? ''

const it = suite('signing in to the console')
it.before(async () => {
  server = await start([])
  browser = await TestBrowser.open()
  page = await browser.newPage()
})
it.after(async () => {
  await browser?.close()
  await server?.stop()
  folder.remove()
})

it('by the link that the server prints, whose code leaves the address and works only once', async () => {
  await page.goto(linkOf())
  await page.getByText(/types are served/).waitFor()
  assert.not(page.url().includes('code'))
  const other = await browser.newPage()
  await other.goto(linkOf())
  await other.getByText('This link has been used or has expired').waitFor()
  await other.context().close()
})

it('is kept in the tab, and stored nowhere else', async () => {
  await page.reload()
  await page.getByText(/types are served/).waitFor()
  assert.equal(await page.context().cookies(), [])
  const kept = await page.evaluate('JSON.stringify(Object.values(localStorage))')
  assert.not(String(kept).includes('console-session.'))
  const stranger = await browser.newPage()
  await stranger.goto(page.url())
  await stranger.getByRole('button', { name: 'Sign in' }).waitFor()
  await stranger.context().close()
})

it('is shared with a second tab of the same browser', async () => {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByText(/types are served/).waitFor()
  await other.close()
})

it('and logs no code or token', () => {
  const lines = server
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
  assert.ok(lines.length > 0)
  assert.not(lines.some(line => /#code=|console-session\./.test(line)))
})

it('survives a restart of the server: the page reports that it is gone, and reconnects', async () => {
  await goTo(page, '/r/core/v1/namespaces')
  await page.getByText('Live').waitFor()
  const port = new URL(server.url).port
  await server.stop()
  await page.getByText('The server cannot be reached. Trying again…').waitFor()
  await page.getByText('Reconnecting').waitFor()
  server = await start(['--secure-port', port])
  await page.getByText('Live').waitFor()
  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' })
})

it('ends in all tabs when the user signs out', async () => {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await signOut(other)
  await other.close()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

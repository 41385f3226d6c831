import { startServer, type TestServer, type TestServerOptions } from 'orch/sdk/testing'
import type { Locator, Page } from 'playwright-core'
import { signIn, TestBrowser } from './browser.js'

/** A server, a browser, and a page with the server's console, signed in as administrator. */
export interface OpenConsole {
  readonly server: TestServer
  readonly browser: TestBrowser
  readonly page: Page
  /** Waits for a text on the page. */
  text(wanted: string | RegExp): Promise<void>
  /** The cell of a table with an object's name. */
  cell(name: string): Locator
  close(): Promise<void>
}

export async function openConsole(options: TestServerOptions = {}): Promise<OpenConsole> {
  const [browser, server] = await Promise.all([
    TestBrowser.open(),
    startServer({ ...options, options: { storageEngine: 'memory', ...options.options } }),
  ])
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await signIn(page, server.baseUrl, server.token)
  return {
    server,
    browser,
    page,
    text: wanted => page.getByText(wanted).first().waitFor(),
    cell: name => page.getByRole('gridcell', { name, exact: true }),
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}

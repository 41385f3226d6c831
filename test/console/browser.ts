import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findProgram } from '../support/find-program.js'

/** The names of Chromium in distributions. */
export const chromiumPath = ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram).find(Boolean)
/** Printed by test files that are skipped. */
export const noBrowser = 'SKIP no chromium in PATH (Debian: chromium)'

/** Shared by all suites in this process. */
let shared: Promise<Browser> | undefined
let users = 0
/** How long it stays open for the next suite. */
const keptMs = 1000

function launch(): Promise<Browser> {
  // The sandbox needs privileges that containers lack; only our own page is opened.
  return chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] })
}
function release(): void {
  users--
  setTimeout(() => {
    if (users > 0 || !shared) return
    const last = shared
    shared = undefined
    void last.then(browser => browser.close())
  }, keptMs)
}

/** The browser of one suite, and the errors on its pages. */
export class TestBrowser {
  readonly #browser: Browser
  readonly #contexts: BrowserContext[] = []
  /** Exceptions, violations of the security policy, and requests to other hosts. */
  readonly complaints: string[] = []

  private constructor(browser: Browser) {
    this.#browser = browser
  }
  static async open(): Promise<TestBrowser> {
    users++
    shared ??= launch()
    return new TestBrowser(await shared)
  }

  /** `others` are hosts that the page may navigate to, but not send requests to. */
  async newPage(options: BrowserContextOptions = {}, others: readonly string[] = []): Promise<Page> {
    const context = await this.#browser.newContext({ ignoreHTTPSErrors: true, ...options })
    this.#contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', error => this.complaints.push(`thrown: ${error.message}`))
    page.on('console', message => {
      const isComplaint = /Content Security Policy|Trusted Type|Uncaught/i.test(message.text())
      if (isComplaint) this.complaints.push(message.text())
    })
    page.on('dialog', dialog => {
      this.complaints.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    let host: string | undefined
    page.on('request', request => {
      const url = new URL(request.url())
      if (!url.protocol.startsWith('http')) return
      host ??= url.host
      if (url.host === host || (request.isNavigationRequest() && others.includes(url.host))) return
      this.complaints.push(`a request to ${url.host}`)
    })
    return page
  }

  /** Closes all pages. Contexts share nothing, so suites do not affect each other. */
  async close(): Promise<void> {
    await Promise.all(this.#contexts.map(each => each.close()))
    release()
  }
}

/** Signs in by pasting a token. */
export async function signIn(page: Page, baseUrl: string, token: string): Promise<void> {
  await page.goto(`${baseUrl}/console/`)
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Types' }).waitFor({ state: 'attached' })
}

/** Signs out by the menu of the user. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
}

/** Goes to a view by its address. */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.evaluate(hash => {
    ;(globalThis as unknown as { location: { hash: string } }).location.hash = hash
  }, view)
}

import { startServer, type TestServer } from 'orch/sdk/testing'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultPlugins } from '../../kernel/index.js'
import { clientId, type SignInIssuer, startSignInIssuer } from '../api/authentication/sign-in-issuer.js'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { chromiumPath, goTo, noBrowser, signOut, TestBrowser } from './browser.js'

const folder = temporaryFolder()
let issuer: SignInIssuer
let server: TestServer
let browser: TestBrowser
let page: Page

const it = suite('signing in to the console with an OpenID Connect issuer')
it.before(async () => {
  issuer = await startSignInIssuer()
  const options = {
    oidcIssuerUrl: issuer.url,
    oidcClientId: clientId,
    oidcCaFile: folder.write('ca.pem', issuer.caPem),
    oidcUsernameClaim: 'name',
    oidcUsernamePrefix: 'oidc:',
    storageEngine: 'memory',
    controllers: ['-*'],
  }
  server = await startServer({ plugins: await defaultPlugins(), options, tls: true })
  browser = await TestBrowser.open()
  page = await browser.newPage({}, [new URL(issuer.url).host])
})
it.after(async () => {
  await browser?.close()
  await server?.stop()
  await issuer?.close()
  folder.remove()
})
const button = (at = page) => at.getByRole('button', { name: `Sign in with ${new URL(issuer.url).host}` })

it('redirects to the issuer, and back to the requested view', async () => {
  await page.goto(`${server.baseUrl}/console/#/r/core/v1/secrets`)
  await button().click()
  await page.getByRole('link', { name: 'I am jane' }).click()
  await page.getByText(/User "oidc:jane" cannot list resource "secrets"/).waitFor()
  assert.is(page.url(), `${server.baseUrl}/console/#/r/core/v1/secrets`)
  assert.equal(await page.context().cookies(server.baseUrl), [])
})

it('is kept in the tab, and tokens are renewed before they expire', async () => {
  await goTo(page, '/')
  issuer.lifeSeconds = 8
  await signOut(page)
  await button().click()
  await page.getByRole('link', { name: 'I am jane' }).click()
  await page.getByText(/types are served/).waitFor()
  await eventually('a renewal', () => (issuer.grants['refresh_token'] ?? 0) >= 1)
  issuer.lifeSeconds = 600
  await page.reload()
  await page.getByText(/types are served/).waitFor()
})

it('ends with the issuer, too, when the user signs out', async () => {
  const before = issuer.signOuts
  await signOut(page)
  await button().waitFor()
  assert.is(issuer.signOuts, before + 1)
  await page.reload()
  await button().waitFor()
  assert.is(page.url(), `${server.baseUrl}/console/`)
})

it('reports when the user refuses, or when the flow was started elsewhere', async () => {
  await button().click()
  await page.getByRole('link', { name: 'Nobody' }).click()
  await page.getByText('The issuer did not sign you in: access_denied').waitFor()
  await page.goto(`${server.baseUrl}/console/?state=of-an-attacker&code=theirs`)
  await page.getByText('This sign-in was not started in this tab').waitFor()
  assert.not(page.url().includes('theirs'))
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'
import { barriersIn } from './axe.js'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const source = (more = '') => `
import { definePlugin, services, Type } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
export default definePlugin({
  name: 'greeter',
  permissions: { environment: ['HOME'] },
  options: Type.Object({
    greeterMark: Type.Optional(Type.String({ maxLength: 2, description: 'What stands after the greeting.' })),
    greeterLanguage: Type.Union([Type.Literal('en'), Type.Literal('de')], { default: 'en' }),
  }),
  register(to, { options }) {
    ${more}
    to.onStart({
      name: 'greeter-says',
      needs: { logger: services.logger },
      run: ({ logger }) => logger.info('ready to greet', { language: options.greeterLanguage }),
    })
    const body = (options.greeterLanguage === 'de' ? 'Hallo' : 'Hello') + (options.greeterMark ?? '')
    to.route(defineRoute({ path: '/greeting', access: 'public', handle: () => ({ body }) }))
  },
})
`

const folder = temporaryFolder()
const group = 'plugins.orch.io'
const page = `/o/${group}/v1alpha1/plugins/-/hello`
const it = suite('pages of plugins in the console')
let open: OpenConsole
it.before(async () => {
  folder.write('greeter.ts', source())
  open = await openConsole({ options: { pluginFolder: folder.path } })
})
it.after(async () => {
  await open?.close()
  folder.remove()
})
const button = (name: string) => open.page.getByRole('button', { name, exact: true })
const dialog = () => open.page.getByRole('dialog')
const condition = (type: string, status: string) =>
  open.page.getByRole('row', { name: new RegExp(`^${type} ${status}`) }).waitFor()
async function greeting(): Promise<string> {
  const answer = await fetch(`${open.server.baseUrl}/greeting`)
  return answer.status === 200 ? answer.text() : 'none'
}
/** Confirms what the dialog shows, by its button. */
async function confirm(name: string): Promise<void> {
  await dialog().getByRole('button', { name, exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
}

it('are listed under Extensions, and created by a form', async () => {
  const extensions = open.page.getByRole('navigation', { name: 'Types' }).getByRole('region', { name: 'Extensions' })
  await extensions.getByRole('link', { name: 'Plugin', exact: true }).click()
  await open.page.getByRole('link', { name: 'Create the first Plugin' }).click()
  await open.page.getByLabel('name required').fill('hello')
  await open.page.getByLabel('package required').fill('greeter.ts')
  await button('Create').click()
  await open.page.getByRole('heading', { name: 'hello' }).waitFor()
  assert.is(await greeting(), 'Hello')
})

it('show their health, contributions and permissions', async () => {
  await condition('Loaded', 'True')
  await condition('Healthy', 'True')
  const field = (name: string) => open.page.locator('details', { hasText: new RegExp(`^${name}`) }).last()
  await field('contributes').getByText('routes: /greeting').waitFor()
  await field('permissions').getByText('environment HOME').waitFor()
})

it('are disabled and enabled, after the diff', async () => {
  await button('Disable').click()
  await dialog().locator('.mine', { hasText: 'enabled: false' }).waitFor()
  await confirm('Disable')
  await condition('Loaded', 'False')
  assert.is(await greeting(), 'none')
  await button('Enable').click()
  await dialog().locator('.mine', { hasText: 'enabled: true' }).waitFor()
  await confirm('Enable')
  await condition('Loaded', 'True')
  assert.is(await greeting(), 'Hello')
})

it('have a form from the schema of their own options, which validates the input', async () => {
  await goTo(open.page, `${page}/yaml`)
  await button('Edit').click()
  await open.page.getByLabel('Add a field to spec', { exact: true }).selectOption('options')
  const add = open.page.getByLabel('Add a field to spec.options', { exact: true })
  await add.selectOption('greeterMark')
  const mark = open.page.getByLabel('greeterMark', { exact: true })
  await mark.fill('!!!')
  await open.text('What stands after the greeting.')
  await open.text('must have at most 2 characters')
  assert.is(await mark.getAttribute('aria-invalid'), 'true')
  await add.selectOption('greeterLanguage')
  await open.page.getByLabel('greeterLanguage', { exact: true }).selectOption('de')
  await button('Review changes').click()
  await dialog().getByText('The currently loaded plugin would not accept these options').waitFor()
  await dialog().getByText('spec.options.greeterMark: must have at most 2 characters').waitFor()
  assert.equal(await barriersIn(open.page), [])
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await mark.fill('!')
  assert.is(await mark.getAttribute('aria-invalid'), null)
  await button('Review changes').click()
  await dialog().locator('.mine', { hasText: 'greeterMark: "!"' }).waitFor()
  assert.is(await dialog().getByText('would not accept').count(), 0)
  await confirm('Apply')
  await open.page.locator('.cm-line', { hasText: 'observedGeneration: 4' }).first().waitFor()
  assert.is(await greeting(), 'Hallo!')
})

it('have a log', async () => {
  await open.page.getByRole('tab', { name: 'Log' }).click()
  const log = open.page.getByRole('log', { name: 'Log of hello' })
  await log.getByText(/ready to greet.*language=de/).waitFor()
  assert.is(await open.page.getByLabel('Previous container').count(), 0)
  await button('Read again').click()
  await log.getByText(/ready to greet.*language=de/).waitFor()
  assert.equal(await barriersIn(open.page), [])
})

it('show the last error with its stack in the source, and are listed in the overview', async () => {
  folder.write('greeter.ts', source("throw new Error('no words today')"))
  await goTo(open.page, page)
  await button('Reload').click()
  await confirm('Reload')
  const error = open.page.getByRole('region', { name: 'Last error' })
  await error.getByText(/failed to register: no words today/).waitFor()
  await error.getByText(/Error: no words today\n.*greeter\.ts:\d+/).waitFor()
  await condition('Loaded', 'True')
  await condition('Healthy', 'False')
  assert.equal(await barriersIn(open.page), [])
  assert.is(await greeting(), 'Hallo!')
  await goTo(open.page, '/')
  const failing = open.page.getByRole('region', { name: 'Failing now' }).getByRole('listitem')
  await failing.filter({ hasText: /^Plugin Failed[\s\S]*no words today/ }).waitFor()
  await failing.getByRole('link', { name: 'hello', exact: true }).click()
  await error.waitFor()
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)

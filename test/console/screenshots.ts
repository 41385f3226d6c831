import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { goTo } from './browser.js'
import { certificateRequest } from './certificate-request.js'
import { type OpenConsole, openConsole } from './open-console.js'

/**
 * `npm run console:screenshots`: takes screenshots of every page of the console at four widths, light and dark, for docs/console, from
 * a server with some objects, some of which fail. `-- NAME ...` takes only those with these names.
 */
const folder = fileURLToPath(new URL('../../../docs/console', import.meta.url))
const widths = [1440, 1024, 768, 390] as const
const schemes = ['light', 'dark'] as const
/** A compromise between size and quality: the files are part of the package. */
const quality = 0.4

const simulationRules = [
  {
    match: { labels: { app: 'checkout' } },
    waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry.example/checkout:1.4"' },
  },
  { match: { ownerKinds: ['Job'] }, runFor: '1s', exitCode: 1 },
  { match: {}, log: ['{container} of {pod} starts', 'reading settings', 'listening on :8080'] },
]

/** A healthy plugin, and one that cannot be loaded. */
const greeter = `import { definePlugin, Type } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
export default definePlugin({
  name: 'greeter',
  permissions: { environment: ['LANG'] },
  options: Type.Object({
    greeterMark: Type.Optional(Type.String({ maxLength: 2, description: 'What stands after the greeting.' })),
    greeterLanguage: Type.Union([Type.Literal('en'), Type.Literal('de')], { default: 'en' }),
  }),
  register(to, { options }) {
    const body = (options.greeterLanguage === 'de' ? 'Hallo' : 'Hello') + (options.greeterMark ?? '')
    to.route(defineRoute({ path: '/greeting', access: 'public', handle: () => ({ body }) }))
  },
})
`
const broken = `import { definePlugin } from 'orch/sdk'
export default definePlugin({
  name: 'billing',
  register() {
    throw new Error('the currency EURO is unknown: did you mean EUR?')
  },
})
`

async function installPlugins({ server }: OpenConsole): Promise<void> {
  const plugins = server.client.resource({ group: 'plugins.orch.io', version: 'v1alpha1', resource: 'plugins' })
  for (const name of ['greeter', 'billing'])
    await plugins.create({ metadata: { name }, spec: { package: `${name}.ts` } } as never)
  const conditions = async (name: string) =>
    ((await plugins.get(name)) as { status?: { conditions?: readonly unknown[] } }).status?.conditions ?? []
  for (const name of ['greeter', 'billing'])
    await eventually(`the conditions of ${name}`, async () => (await conditions(name)).length > 0, 60_000)
}

async function fill({ server }: OpenConsole): Promise<void> {
  const { client } = server
  const of = (group: string, resource: string) => client.resource({ group, version: 'v1', resource }).in('shop')
  await client
    .resource({ group: '', version: 'v1', resource: 'namespaces' })
    .create({ metadata: { name: 'shop' } } as never)
  const deployments = of('apps', 'deployments')
  await of('', 'configmaps').create({ metadata: { name: 'settings' }, data: { mode: 'fast', color: 'teal' } } as never)
  await of('', 'secrets').create({ metadata: { name: 'keys' }, stringData: { password: 'hidden' } } as never)
  const apps: readonly (readonly [string, number, string])[] = [
    ['cart', 2, 'backend'],
    ['catalogue', 3, 'backend'],
    ['checkout', 2, 'backend'],
    ['web', 3, 'frontend'],
    ['search', 1, 'backend'],
  ]
  const apply = (name: string, replicas: number, tier: string, image: string) => {
    const envFrom = [{ configMapRef: { name: 'settings' } }]
    const container = { name, image: `registry.example/${name}:${image}`, ports: [{ containerPort: 8080 }], envFrom }
    const template = { metadata: { labels: { app: name, tier } }, spec: { containers: [container] } }
    const spec = { replicas, selector: { matchLabels: { app: name } }, template }
    const metadata = { name, labels: { app: name, tier } }
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec }
    return deployments.apply(body as never, { fieldManager: 'gitops' })
  }
  await apply('web', 3, 'frontend', '1.3')
  const pods = of('', 'pods')
  const running = async () =>
    (await pods.list()).items.filter(pod => (pod as { status?: { phase?: string } }).status?.phase === 'Running').length
  await eventually('the first Pods', async () => (await running()) === 3, 60_000)
  for (const [name, replicas, tier] of apps) await apply(name, replicas, tier, '1.4')
  await of('', 'services').create({
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  } as never)
  await of('', 'resourcequotas').create({
    metadata: { name: 'objects' },
    spec: { hard: { 'count/secrets': '1', pods: '100' } },
  } as never)
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'import', image: 'registry.example/import:2' }] },
  }
  await of('batch', 'jobs').create({ metadata: { name: 'import' }, spec: { backoffLimit: 0, template } } as never)
  await eventually('the Pods', async () => (await running()) === 9, 60_000)
  await server.installCrds({
    apiVersion: 'apiextensions.orch.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'wells.water.example' },
    spec: {
      group: 'water.example',
      scope: 'Namespaced',
      names: { plural: 'wells', singular: 'well', kind: 'Well' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: wellSchema } }],
    },
  } as never)
  await client
    .resource({ group: 'certificates.orch.io', version: 'v1', resource: 'certificatesigningrequests' })
    .create({
      metadata: { name: 'jane' },
      spec: {
        request: await certificateRequest('jane', ['ops']),
        signerName: 'orch.io/apiserver-client',
        usages: ['client auth'],
      },
    } as never)
}
const wellSchema = {
  type: 'object',
  description: 'A Well is a hole in the ground from which water is drawn.',
  properties: {
    spec: {
      type: 'object',
      description: 'What is wanted.',
      required: ['depth'],
      properties: {
        depth: { type: 'integer', minimum: 1, description: 'How deep it is, in metres.' },
        lining: { type: 'string', enum: ['brick', 'stone'], description: 'What its wall is made of.' },
      },
    },
  },
}

interface Picture {
  readonly name: string
  readonly view: string
  /** The selector of an element that is there when the page is complete. */
  readonly complete: string
  prepare?(page: Page): Promise<void>
}
const pluginGroup = 'plugins.orch.io'
const web = '/o/apps/v1/deployments/shop/web'
const pictures = (pod: string): readonly Picture[] => [
  { name: 'home', view: '/', complete: '.problems .bad' },
  { name: 'table', view: '/r/core/v1/pods?ns=shop', complete: '.grid .body .row:nth-child(11)' },
  { name: 'events', view: '/r/core/v1/events?ns=shop', complete: '.grid .body .row:nth-child(9)' },
  { name: 'empty', view: '/r/water.example/v1/wells', complete: '.empty p' },
  { name: 'summary', view: web, complete: '.set-by' },
  { name: 'timeline', view: `${web}/timeline`, complete: '.timeline .event' },
  { name: 'log', view: `/o/core/v1/pods/shop/${pod}/logs`, complete: '.log div' },
  { name: 'terminal', view: `/o/core/v1/pods/shop/${pod}/terminal`, complete: '.prompt input', prepare: runCommands },
  { name: 'rollout', view: `${web}/rollout`, complete: 'tbody tr' },
  { name: 'graph', view: `${web}/tree`, complete: '.graph rect' },
  { name: 'fields', view: `${web}/yaml`, complete: '.owners span' },
  { name: 'references', view: `${web}/references`, complete: '.summary dd' },
  { name: 'history', view: `${web}/history`, complete: '.versions li' },
  { name: 'access', view: `${web}/access`, complete: 'tbody tr' },
  { name: 'form', view: '/new/water.example/v1/wells?ns=shop', complete: '.schema-form input' },
  { name: 'plugins', view: `/r/${pluginGroup}/v1alpha1/plugins`, complete: '.grid .body .row:nth-child(2)' },
  { name: 'plugin', view: `/o/${pluginGroup}/v1alpha1/plugins/-/greeter`, complete: 'tbody tr' },
  { name: 'plugin-error', view: `/o/${pluginGroup}/v1alpha1/plugins/-/billing`, complete: 'tbody tr' },
  {
    name: 'plugin-options',
    view: `/o/${pluginGroup}/v1alpha1/plugins/-/greeter/yaml`,
    complete: '.owners span',
    prepare: editOptions,
  },
  { name: 'secret', view: '/o/core/v1/secrets/shop/keys', complete: '.summary dd' },
  {
    name: 'server',
    view: '/server',
    complete: 'tbody tr',
    prepare: page =>
      eventually('charts', async () => (await page.locator('.chart .area[d*="L"]').count()) > 4, 60_000).then(() => {}),
  },
  { name: 'review', view: `${web}/yaml`, complete: '.owners span', prepare: review },
  { name: 'delete-many', view: '/r/core/v1/pods?ns=shop', complete: '.grid .body .row', prepare: deleteMany },
  {
    name: 'search',
    view: '/',
    complete: '.problems .bad',
    prepare: async page => {
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
    },
  },
]

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'YAML', exact: true }).click()
  const editor = page.getByRole('textbox', { name: 'web as YAML' })
  await editor.locator('.cm-line', { hasText: 'replicas: 3' }).first().click()
  await editor.press('End')
  await editor.press('Backspace')
  await editor.pressSequentially('5')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.locator('.diff .mine').waitFor()
}
async function runCommands(page: Page): Promise<void> {
  for (const line of ['echo "I am $HOSTNAME"', 'ls /', 'nginx -t']) {
    await page.getByLabel('Command', { exact: true }).fill(line)
    await page.getByLabel('Command', { exact: true }).press('Enter')
  }
  await page.getByText('ended with exit code').waitFor()
}
async function editOptions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Add a field to spec', { exact: true }).selectOption('options')
  const add = page.getByLabel('Add a field to spec.options', { exact: true })
  await add.selectOption('greeterLanguage')
  await add.selectOption('greeterMark')
  await page.getByLabel('greeterMark', { exact: true }).fill('!!!')
  await page.getByText('must have at most 2 characters').waitFor()
}
async function deleteMany(page: Page): Promise<void> {
  await page.getByLabel('Select all rows').check()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByText(/would be rejected/).waitFor()
}

/** Converts by a canvas in Chromium, on a page whose security policy allows that. */
async function asWebp(painter: Page, png: Buffer): Promise<Buffer> {
  const url = `data:image/png;base64,${png.toString('base64')}`
  const data = (await painter.evaluate(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(url)}
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', ${quality})
  })()`)) as string
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}

const chosen = process.argv.slice(2)
const isWanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name)

async function draw(open: OpenConsole, painter: Page): Promise<void> {
  const { page } = open
  const [pod] = (
    await open.server.client
      .resource({ group: '', version: 'v1', resource: 'pods' })
      .in('shop')
      .list({ labelSelector: 'app=web' })
  ).items
  const wanted = pictures(pod?.metadata.name ?? '').filter(({ name }) => isWanted(name))
  for (const { name, view, complete, prepare } of wanted)
    for (const width of widths)
      for (const colorScheme of schemes) {
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
        await page.emulateMedia({ colorScheme })
        await page.mouse.move(0, 0)
        await goTo(page, '/page/none')
        await goTo(page, view)
        await page.locator(complete).first().waitFor()
        await prepare?.(page)
        await page.waitForTimeout(250)
        const file = join(folder, `${name}-${width}-${colorScheme}.webp`)
        writeFileSync(file, await asWebp(painter, await page.screenshot()))
        for (let dialogs = await page.locator('dialog').count(); dialogs > 0; dialogs--)
          await page.keyboard.press('Escape')
      }
}

mkdirSync(folder, { recursive: true })
for (const file of readdirSync(folder)) {
  const [, name] = /^(.+)-\d+-\w+\.webp$/.exec(file) ?? []
  if (name !== undefined && isWanted(name)) rmSync(join(folder, file))
}
const packages = temporaryFolder()
packages.write('greeter.ts', greeter)
packages.write('billing.ts', broken)
const open = await openConsole({ options: { simulateNodes: 3, simulationRules, pluginFolder: packages.path } })
try {
  await fill(open)
  await installPlugins(open)
  const painter = await open.browser.newPage()
  await painter.goto('about:blank')
  await draw(open, painter)
} finally {
  await open.close()
  packages.remove()
}

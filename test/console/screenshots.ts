import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '../support/eventually.js'
import { goTo } from './browser.js'
import { certificateRequest } from './certificate-request.js'
import { type OpenConsole, openConsole } from './open-console.js'

/** `npm run console:screenshots`: draws the pictures of docs/console.md from a server with a few things in it. */
const folder = fileURLToPath(new URL('../../../docs/console', import.meta.url))

async function fill({ server: { client } }: OpenConsole): Promise<void> {
  const of = (group: string, resource: string) => client.resource({ group, version: 'v1', resource }).in('shop')
  await client
    .resource({ group: '', version: 'v1', resource: 'namespaces' })
    .create({ metadata: { name: 'shop' } } as never)
  const deployments = of('apps', 'deployments')
  const apps: readonly (readonly [string, number, string])[] = [
    ['cart', 2, 'backend'],
    ['catalogue', 3, 'backend'],
    ['checkout', 2, 'backend'],
    ['web', 3, 'frontend'],
    ['search', 1, 'backend'],
  ]
  for (const [name, replicas, tier] of apps) {
    const container = { name, image: `registry.example/${name}:1.4`, ports: [{ containerPort: 8080 }] }
    const template = { metadata: { labels: { app: name, tier } }, spec: { containers: [container] } }
    const spec = { replicas, selector: { matchLabels: { app: name } }, template }
    const metadata = { name, labels: { app: name, tier } }
    await deployments.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as never, {
      fieldManager: 'gitops',
    })
  }
  await deployments.apply(
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { paused: false, minReadySeconds: 5 },
    } as never,
    { fieldManager: 'autopilot' },
  )
  const pods = of('', 'pods')
  const isRunning = (pod: unknown) => (pod as { status?: { phase?: string } }).status?.phase === 'Running'
  await eventually('the Pods', async () => (await pods.list()).items.filter(isRunning).length === 11, 60_000)
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

/** The views, and what is there when one is complete. */
const views: readonly (readonly [name: string, view: string, complete: string])[] = [
  ['table', '/r/core/v1/pods?ns=shop', '.grid .body .row:nth-child(11)'],
  ['summary', '/o/apps/v1/deployments/shop/web', '.summary tbody tr'],
  ['owners', '/o/apps/v1/deployments/shop/web/tree', '.graph rect'],
  ['fields', '/o/apps/v1/deployments/shop/web/yaml', '.owners span'],
  ['server', '/server', 'tbody tr'],
]

async function draw(open: OpenConsole): Promise<void> {
  const { page } = open
  const shoot = (name: string) => page.screenshot({ path: join(folder, `${name}.png`) })
  for (const [name, view, complete] of views) {
    await page.emulateMedia({ colorScheme: name === 'owners' ? 'dark' : 'light' })
    await page.mouse.move(0, 0)
    await goTo(page, view)
    await page.locator(complete).first().waitFor()
    if (name === 'server')
      await eventually('charts', async () => (await page.locator('.chart .area[d*="L"]').count()) > 4, 60_000)
    await shoot(name)
  }
  await goTo(page, '/o/apps/v1/deployments/shop/web/yaml')
  await page.getByRole('button', { name: 'Edit' }).click()
  const editor = page.getByRole('textbox', { name: 'web as YAML' })
  await editor.locator('.cm-line', { hasText: 'replicas: 3' }).first().click()
  await editor.press('End')
  await editor.press('Backspace')
  await editor.pressSequentially('5')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('checkbox').check()
  await page.locator('.diff .mine').waitFor()
  await shoot('review')
}

mkdirSync(folder, { recursive: true })
const open = await openConsole({ options: { simulateNodes: 3 } })
try {
  await open.page.setViewportSize({ width: 1120, height: 680 })
  await fill(open)
  await draw(open)
} finally {
  await open.close()
}

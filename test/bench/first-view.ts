import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { TestBrowser } from '../console/browser.js'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { collectionPath } from './config-map-load.js'
import { ConnectionPool } from './connection-pool.js'
import { definition, definitionsPath, objectsPath } from './custom-type-load.js'
import { cpuMs, median } from './process-figures.js'

/**
 * `npm run bench:console -- [--rounds 9] [--types 100] [--objects 10000] [--failing 1000] [--kubernetes-version 1.36]`
 *
 * How long a user who opens the console waits for the first view: from the navigation, in a browser with nothing
 * in its cache and whose window is open, to the moment at which the page shows it. Of a table the first rows count, of the overview all of its types; then,
 * with many failing objects, the count of all of them.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    types: { type: 'string', default: '100' },
    objects: { type: 'string', default: '10000' },
    failing: { type: 'string', default: '1000' },
    'kubernetes-version': { type: 'string', default: '1.36' },
  },
})
const token = 'admintoken'
const namespace = 'bench'
const writers = 16
const [betweenLooksMs, quietMs, mostLooks] = [200, 10, 25]
const views = {
  table: { hash: `#/r/core/v1/configmaps?ns=${namespace}`, shown: `document.querySelector('[role=gridcell] a')` },
  overview: { hash: '#/', shown: `/types are served/.test(document.querySelector('.title p')?.textContent)` },
  failing: {
    hash: '#/',
    shown: `document.querySelector('.problems .tag')?.textContent === '${Number(values.failing).toLocaleString('en')} objects'`,
  },
}

const version = `--kubernetes-version=${values['kubernetes-version']}`
const server = await startOrch({ flags: [...(await flagsOf('base')), '--controllers=-*', version] })
const pool = new ConnectionPool({ url: server.url, token, pids: [server.pid] })
const browser = await TestBrowser.open()
try {
  await fill()
  for (const [name, view] of Object.entries(views)) {
    if (name === 'failing') await fail()
    const rounds: Round[] = []
    for (let round = 0; round < Number(values.rounds); round++) rounds.push(await open(view))
    const of = (part: keyof Round) => `${Math.round(median(rounds.map(each => each[part])))} ms`
    const all = rounds.map(({ shown }) => Math.round(shown)).sort((left, right) => left - right)
    console.log(
      `${name}: ${of('shown')} (${all.join(' ')}); script is there at ${of('script')}, ${rounds[0]?.requests} requests; ` +
        `CPU ${of('ofServer')} server, ${of('ofBrowser')} browser`,
    )
  }
} finally {
  await browser.close()
  pool.close()
  await server.stop()
}

async function servedTypes(): Promise<number> {
  const names = async (path: string) => {
    const { body } = await pool.request('GET', path)
    const { resources } = JSON.parse(body.toString()) as { resources: { name: string }[] }
    return resources.filter(each => !each.name.includes('/')).length
  }
  const { groups } = JSON.parse((await pool.request('GET', '/apis')).body.toString()) as {
    groups: { preferredVersion: { groupVersion: string } }[]
  }
  const counts = [await names('/api/v1')]
  for (const { preferredVersion } of groups) counts.push(await names(`/apis/${preferredVersion.groupVersion}`))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function fill(): Promise<void> {
  const missing = Math.max(0, Number(values.types) - (await servedTypes()))
  for (let at = 0; at < missing; at++) await pool.post(definitionsPath, definition(at))
  for (let at = 0; at < missing; at++) while ((await pool.request('GET', objectsPath('default', at))).status !== 200);
  await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }))
  let next = 0
  const write = async () => {
    for (let at = next++; at < Number(values.objects); at = next++) {
      const metadata = { name: `object-${String(at).padStart(5, '0')}`, labels: { part: String(at % 7) } }
      await pool.post(collectionPath(namespace), JSON.stringify({ metadata, data: { key: `value ${at}` } }))
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  console.log(`${await servedTypes()} types, ${values.objects} objects`)
}

/** Objects of a custom type that are not ready. */
async function fail(): Promise<void> {
  const group = 'lamps.example.com'
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const names = { plural: 'lamps', singular: 'lamp', kind: 'Lamp', listKind: 'LampList' }
  const schema = { openAPIV3Schema: { type: 'object', properties: { status: open } } }
  const versions = [{ name: 'v1', served: true, storage: true, schema }]
  const metadata = { name: `lamps.${group}` }
  const spec = { group, scope: 'Namespaced', names, versions }
  const kind = 'CustomResourceDefinition'
  await pool.post(definitionsPath, JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind, metadata, spec }))
  const path = `/apis/${group}/v1/namespaces/${namespace}/lamps`
  while ((await pool.request('GET', path)).status !== 200);
  const conditions = [{ type: 'Ready', status: 'False', reason: 'Dark', message: 'there is no current' }]
  for (let at = 0; at < Number(values.failing); at++) {
    const lamp = { apiVersion: `${group}/v1`, kind: 'Lamp', metadata: { name: `lamp-${at}` }, status: { conditions } }
    await pool.post(path, JSON.stringify(lamp))
  }
}

interface Round {
  /** In ms since the navigation. */
  readonly shown: number
  readonly script: number
  readonly requests: number
  /** CPU time in ms, which is more reliable than wall time on a busy machine. */
  readonly ofServer: number
  readonly ofBrowser: number
}
/** Opens the page in a new context, without a cache, as a signed-in user. */
async function open({ hash, shown }: { hash: string; shown: string }): Promise<Round> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  // Evaluated in the page: the tests have no browser types.
  await page.addInitScript(`
    sessionStorage.setItem('console-session', '${JSON.stringify({ token })}')
    new MutationObserver((_, observer) => {
      if (!(${shown})) return
      observer.disconnect()
      globalThis.shownAt = performance.now()
      console.debug('shown')
    }).observe(document, { childList: true, subtree: true, characterData: true })
  `)
  await untilQuiet()
  // A message, since code that asks the page again and again would take part of its time.
  const isShown = page.waitForEvent('console', message => message.text() === 'shown')
  const before = [cpuMs([server.pid]), cpuMs(browserPids())] as const
  await page.goto(`${server.url}/console/${hash}`)
  await isShown
  const round = await page.evaluate(`({
    shown: globalThis.shownAt,
    script: performance.getEntriesByType('resource').find(each => each.name.includes('/main-'))?.responseEnd ?? 0,
    requests: performance.getEntriesByType('resource').length,
  })`)
  const [ofServer, ofBrowser] = [cpuMs([server.pid]) - before[0], cpuMs(browserPids()) - before[1]]
  await page.context().close()
  return { ...(round as Round), ofServer, ofBrowser }
}

/** Opening the window takes the browser about a second of CPU, which is not the console's. It has settled when it uses next to none. */
async function untilQuiet(): Promise<void> {
  let last = cpuMs(browserPids())
  for (let look = 0; look < mostLooks; look++) {
    await sleep(betweenLooksMs)
    const now = cpuMs(browserPids())
    if (now - last <= quietMs) return
    last = now
  }
}

/** All processes below this one, apart from the server. */
function browserPids(): number[] {
  const parents = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => [Number(name), parentOf(name)] as const)
  const below = (pid: number): number[] =>
    parents.flatMap(([child, parent]) => (parent === pid && child !== server.pid ? [child, ...below(child)] : []))
  return below(process.pid)
}
function parentOf(pid: string): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

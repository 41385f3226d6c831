import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import * as https from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import type { Entered } from './covered-server.js'
import { root } from './sources.js'

/** The code path of a request: what one has to read to follow it. */
export interface Distance {
  readonly files: readonly string[]
  readonly functions: Entered
}

/** The first requests compile code and fill caches; only later ones are measured. */
const warmUps = 5
const samples = 25
/** Long enough for every timer of an idle server: functions that run then are not part of a request. */
const idleMs = 2_000

/** Measures requests on a server with everything that ships, LMDB, TLS and RBAC, without its control loops. */
export async function measureDistances(): Promise<Readonly<Record<'create' | 'get' | 'attachedWatch', Distance>>> {
  const folder = temporaryFolder()
  const child = fork(
    join(root, 'dist/test/architecture/covered-server.js'),
    ['serve', '--data-dir', folder.path, '--secure-port', '0', '--shutdown-linger-duration=0s', '--controllers=-*'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  try {
    const client = await connect(child, folder.path)
    let count = 0
    const create = () =>
      client.send('POST', collection, { metadata: { name: `measured-${count++}` }, data: { a: 'b' } })
    const get = () => client.send('GET', `${collection}/measured-0`)
    await enteredByEach(child, create)
    const idle = await enteredIdly(child)
    const byRequest = async (request: () => Promise<unknown>) =>
      (await enteredByEach(child, request)).filter(each => !idle.has(each) && !isOfTimer(each))
    const created = await byRequest(create)
    const read = await byRequest(get)
    const watch = await client.watch(`${collection}?watch=1`)
    const watched = await byRequest(async () => {
      const event = watch.nextEvent()
      await create()
      await event
    })
    watch.close()
    const alone = new Set(created.map(fileOf))
    return {
      create: distanceOf(created),
      get: distanceOf(read),
      attachedWatch: distanceOf(watched.filter(each => !alone.has(fileOf(each)))),
    }
  } finally {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
    folder.remove()
  }
}

const collection = '/api/v1/namespaces/default/configmaps'
const fileOf = (entered: string) => entered.slice(0, entered.indexOf(' '))
const distanceOf = (functions: Entered): Distance => ({ functions, files: [...new Set(functions.map(fileOf))].sort() })

/** The functions that are entered every time. */
async function enteredByEach(child: ChildProcess, request: () => Promise<unknown>): Promise<Entered> {
  for (let i = 0; i < warmUps; i++) await request()
  let common: Entered | undefined
  for (let i = 0; i < samples; i++) {
    await take(child)
    await request()
    const entered = new Set(await take(child))
    common = common ? common.filter(each => entered.has(each)) : [...entered]
  }
  return common ?? []
}

async function enteredIdly(child: ChildProcess): Promise<ReadonlySet<string>> {
  await take(child)
  await sleep(idleMs)
  return new Set(await take(child))
}

/** The periodic check of the disk may fall into a request, on a busy machine into every one. */
const isOfTimer = (entered: string): boolean =>
  /^kernel\/storage\/(?:disk-space\.js |lmdb\/space-guard\.js (?:#measure|freeBytes|freeInFile)@)/.test(entered)

async function take(child: ChildProcess): Promise<Entered> {
  const answer = once(child, 'message')
  child.send('take')
  return (await answer)[0] as Entered
}

/** Waits for the address of the server and connects as its administrator. */
async function connect(child: ChildProcess, dataDir: string) {
  let output = ''
  child.stdout?.on('data', chunk => (output += chunk))
  child.stderr?.on('data', chunk => (output += chunk))
  const url = await eventually(
    'the address of the server',
    () => {
      if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}:\n${output}`)
      return /(?:Serving at |"address":")(https:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
    },
    60_000,
  )
  const adminConfig = join(dataDir, 'admin.conf')
  await eventually('the client config', () => existsSync(adminConfig))
  const { users, clusters } = parse(readFileSync(adminConfig, 'utf8'))
  const decoded = (text: string) => Buffer.from(text, 'base64')
  const agent = new https.Agent({
    keepAlive: true,
    maxSockets: 2,
    cert: decoded(users[0].user['client-certificate-data']),
    key: decoded(users[0].user['client-key-data']),
    ca: decoded(clusters[0].cluster['certificate-authority-data']),
  })
  const open = (method: string, path: string, body?: object): Promise<import('node:http').IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const request = https.request(`${url}${path}`, { method, agent, headers }, resolve).on('error', reject)
      request.end(body && JSON.stringify(body))
    })
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await open(method, path, body)
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
  }
  await eventually('the default namespace', () =>
    send('GET', '/api/v1/namespaces/default').then(
      () => true,
      () => undefined,
    ),
  )
  return {
    send,
    watch: async (path: string) => {
      const response = await open('GET', path)
      response.resume()
      return { nextEvent: () => once(response, 'data'), close: () => void response.destroy() }
    },
  }
}

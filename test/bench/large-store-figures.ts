import { spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { bundledProgram } from '../support/orch-program.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type Answer, Connection } from './connection.js'
import { largeExport } from './large-export.js'
import { cpuMs, monotonicMs, percentile, privateMiB } from './process-figures.js'

/**
 * `npm run bench:large -- [--objects 2000000] [--size 1000] [--namespaces 100] [--labels 1000] [--limit-minutes 30]
 *    [--data-dir folder]`
 *
 * `--data-dir` is a folder that is kept: a store that is there already is measured without being filled.
 *
 * One server on LMDB with very many ConfigMaps: fills an empty store with `orch storage import`, then measures a start, gets, pages,
 * lists by a label, writes, the compaction of the history, a backup beside the running server and `orch storage compact`.
 * Time, CPU and private memory (without the mapped file) of each, and how long gets had to wait meanwhile.
 */
const string = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    objects: { ...string, default: '2000000' },
    size: { ...string, default: '1000' },
    namespaces: { ...string, default: '100' },
    labels: { ...string, default: '1000' },
    'limit-minutes': { ...string, default: '30' },
    'data-dir': string,
  },
})
const [objects, size, namespaces] = [values.objects, values.size, values.namespaces].map(Number) as [
  number,
  number,
  number,
]
const labels = Number(values.labels)
const limitMs = Number(values['limit-minutes']) * 60_000
/** Of the store for each object with a kilobyte of data, and again for its backup. */
const diskBytesPerObject = 2 * (3000 + 2 * size)

const folder = temporaryFolder()
// Loops would list everything after each start, while the requests are measured.
const flags = [...(await flagsOf('base')).filter(flag => !flag.startsWith('--controllers')), '--controllers=-*']
const startedAt = monotonicMs()
const isLate = () => monotonicMs() - startedAt > limitMs
const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(2)} GiB`
const seconds = (ms: number) => (ms < 1000 ? `${ms.toFixed(ms < 10 ? 2 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`)
const say = (what: string, ...cells: string[]) => console.log(`${what.padEnd(52)} ${cells.join(', ')}`)
const fileBytes = (dataDir: string) => {
  const { size: length, blocks } = statSync(join(dataDir, 'store', 'data.mdb'))
  return Math.min(length, blocks * 512)
}

const free = statfsSync(folder.path)
if (free.bavail * free.bsize < objects * diskBytesPerObject * 1.2) {
  folder.remove()
  throw new Error(`${folder.path} needs ${gib(objects * diskBytesPerObject * 1.2)} of free disk`)
}

/** Runs `orch storage`, and watches its private memory. */
async function storage(words: readonly string[], input?: AsyncIterable<Buffer>) {
  const started = monotonicMs()
  const child = spawn(process.execPath, [bundledProgram, 'storage', ...words])
  const [output, problems] = [text(child.stdout), text(child.stderr)]
  let [peakMiB, usedMs] = [0, 0]
  const timer = setInterval(() => {
    try {
      peakMiB = Math.max(peakMiB, privateMiB([child.pid!]) || 0)
      usedMs = cpuMs([child.pid!])
    } catch {
      // It has ended.
    }
  }, 50)
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  child.stdin.on('error', () => {})
  if (input)
    for await (const piece of input)
      if (!child.stdin.write(piece))
        await Promise.race([new Promise(resolve => child.stdin.once('drain', resolve)), ended])
  child.stdin.end()
  const code = await ended
  clearInterval(timer)
  const answer = await output
  if (code !== 0) throw new Error(`orch storage ${words.join(' ')} ended with ${code}: ${answer}${await problems}`)
  return { ms: monotonicMs() - started, cpuMs: usedMs, peakMiB, output: answer.trim() }
}

const start = (dataDir: string, extra: readonly string[] = []) =>
  startOrch({ flags: [...flags, ...extra], isBundled: true, limitMs: 300_000, dataDir })
const connectTo = ({ url, pid }: RunningServer) => Connection.open({ url, token: 'admintoken', pids: [pid] })
async function ask(connection: Connection, method: string, path: string, body?: unknown): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const given = body === undefined ? {} : { body: JSON.stringify(body), type }
  const answer = await connection.request(method, path, given)
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`)
  return answer
}

/** What a server exports that has the namespaces and one object, as lines. */
async function exportOfSmallServer(): Promise<string[]> {
  const dataDir = join(folder.path, 'small')
  const server = await start(dataDir)
  const connection = await connectTo(server)
  for (let at = 0; at < namespaces; at++)
    await ask(connection, 'POST', '/api/v1/namespaces', { metadata: { name: `space-${at}` } })
  const metadata = { name: 'sample', labels: { app: 'app-x' } }
  await ask(connection, 'POST', '/api/v1/namespaces/space-0/configmaps', { metadata, data: { payload: 'sample data' } })
  connection.close()
  await server.stop()
  const { stdout } = spawnSync(process.execPath, [bundledProgram, 'storage', 'export', '-', '--data-dir', dataDir], {
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  })
  rmSync(dataDir, { recursive: true })
  // Without the header, the trailer and the empty piece behind it.
  return stdout.split('\n').slice(1, -2)
}

let probe: Connection
const pathOf = (index: number) => `/api/v1/namespaces/space-${index % namespaces}/configmaps/object-${index}`
const anyPath = () => pathOf(Math.floor(Math.random() * objects))

/** Time, CPU and growth of memory of some work, and the gets that another client sends meanwhile. */
async function measured<T>(server: RunningServer, what: string, work: () => Promise<T>, times = 1): Promise<T> {
  const waits: number[] = []
  let isOver = false
  const probing = (async () => {
    while (!isOver) {
      const sent = monotonicMs()
      await ask(probe, 'GET', anyPath())
      waits.push(monotonicMs() - sent)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })()
  const [before, used, memory] = [monotonicMs(), cpuMs([server.pid]), privateMiB([server.pid])]
  const result = await work()
  const took = monotonicMs() - before
  const [cpu, grown] = [cpuMs([server.pid]) - used, privateMiB([server.pid]) - memory]
  isOver = true
  await probing
  const longest = percentile(Float64Array.from(waits).sort(), 1)
  const each = times > 1 ? ' each' : ''
  say(
    what,
    `${seconds(took / times)}${each}`,
    `CPU ${seconds(cpu / times)}${each}`,
    `memory ${grown >= 0 ? '+' : ''}${grown.toFixed(0)} MiB`,
    `gets meanwhile at most ${seconds(longest)}`,
  )
  return result
}
const itemsIn = ({ body }: Answer) => JSON.parse(body.toString())

const [gets, patches, patchesEach] = [500, 200, 50]
async function reads(server: RunningServer, connection: Connection) {
  await measured(server, 'get, cold', () => ask(connection, 'GET', anyPath()))
  const manyGets = async () => {
    for (let at = 0; at < gets; at++) await ask(connection, 'GET', anyPath())
  }
  await measured(server, 'get of any object, one client', manyGets, gets)
  await measured(server, 'the same, warm', manyGets, gets)
  const all = '/api/v1/configmaps'
  let continued = ''
  const page = async () => {
    const { metadata, items } = itemsIn(await ask(connection, 'GET', `${all}?limit=500${continued}`))
    if (items.length !== 500) throw new Error(`a page has ${items.length} objects`)
    continued = `&continue=${encodeURIComponent(metadata.continue)}`
    return metadata.remainingItemCount as number
  }
  for (const which of ['first', 'second', 'third']) await measured(server, `${which} page of 500 of all`, page)
  const many = async () => {
    for (let at = 0; at < 20; at++) await page()
  }
  await measured(server, 'the next twenty pages', many, 20)
  continued = ''
  await measured(server, 'first page of 500 again', page)
  await measured(server, 'list of one namespace', () => ask(connection, 'GET', '/api/v1/namespaces/space-1/configmaps'))
  const expected = Math.floor(objects / labels)
  for (const which of ['first', 'second', 'third', 'fourth'])
    await measured(server, `list of all by a label of ${expected} objects, ${which}`, async () => {
      const { items } = itemsIn(await ask(connection, 'GET', `${all}?labelSelector=app%3Dapp-${3 + which.length}`))
      if (Math.abs(items.length - expected) > 1) throw new Error(`${items.length} objects have the label`)
    })
  await measured(server, 'list of one namespace by a label, first', () =>
    ask(connection, 'GET', '/api/v1/namespaces/space-1/configmaps?labelSelector=app%3Dapp-101'),
  )
  await measured(server, 'list of everything', () => connection.request('GET', all, { onBody: () => {} }))
}

async function writes(server: RunningServer, connection: Connection) {
  const patch = async () => {
    for (let at = 0; at < patches; at++)
      await ask(connection, 'PATCH', anyPath(), { data: { changed: `${monotonicMs()}` } })
  }
  await measured(server, 'merge patch of any object, one client', patch, patches)
  await measured(server, 'the same, warm', patch, patches)
  const clients = await Promise.all(Array.from({ length: 64 }, () => connectTo(server)))
  const together = () =>
    Promise.all(
      clients.map(async client => {
        for (let at = 0; at < patchesEach; at++)
          await ask(client, 'PATCH', anyPath(), { data: { changed: `${monotonicMs()}` } })
      }),
    )
  await measured(server, 'merge patch of any object, 64 clients', together, 64 * patchesEach)
  for (const client of clients) client.close()
}

const dataDir = values['data-dir'] ?? join(folder.path, 'large')
async function fill() {
  const small = await exportOfSmallServer()
  const filled = await storage(
    ['import', '-', '--data-dir', dataDir, ...flags],
    largeExport(small, { objects, size, namespaces, labels }, isLate),
  )
  say(
    `import of ${objects} objects of ${size} bytes of data`,
    seconds(filled.ms),
    `CPU ${seconds(filled.cpuMs)}`,
    `private memory ${filled.peakMiB.toFixed(0)} MiB`,
    gib(fileBytes(dataDir)),
  )
}
try {
  if (existsSync(join(dataDir, 'store'))) say('a store that was filled before', gib(fileBytes(dataDir)))
  else await fill()
  const starting = monotonicMs()
  const server = await start(dataDir)
  say(
    'start to ready',
    seconds(monotonicMs() - starting),
    `CPU ${seconds(cpuMs([server.pid]))}`,
    `memory ${privateMiB([server.pid]).toFixed(0)} MiB`,
  )
  probe = await connectTo(server)
  const connection = await connectTo(server)
  await reads(server, connection)
  await writes(server, connection)
  const backup = await measured(server, 'backup beside the server (CPU of the server only)', () =>
    storage(['backup', join(folder.path, 'backup.mdb'), '--data-dir', dataDir]),
  )
  say('the backup itself', `CPU ${seconds(backup.cpuMs)}`, `memory ${backup.peakMiB.toFixed(0)} MiB`, backup.output)
  rmSync(join(folder.path, 'backup.mdb'), { recursive: true })
  say('memory of the server', `${privateMiB([server.pid]).toFixed(0)} MiB`)
  connection.close()
  probe.close()
  await server.stop()
  await forgetting()
  const compacted = await storage(['compact', '--data-dir', dataDir])
  say(
    'orch storage compact',
    seconds(compacted.ms),
    `CPU ${seconds(compacted.cpuMs)}`,
    `memory ${compacted.peakMiB.toFixed(0)} MiB`,
    compacted.output,
  )
} finally {
  folder.remove()
}

/** A server with a short history removes that of the import in turns. */
async function forgetting() {
  const server = await start(dataDir, ['--watch-history=10s'])
  probe = await connectTo(server)
  const entries = async () => {
    const { output } = await storage(['stats', '--data-dir', dataDir])
    return Number(/history entries:?\s+(\d+)/.exec(output)?.[1])
  }
  const first = await entries()
  let left = first
  await measured(server, 'the server removes old history', async () => {
    for (const end = monotonicMs() + 180_000; left > 1000 && monotonicMs() < end; ) {
      await new Promise(resolve => setTimeout(resolve, 3000))
      left = await entries()
    }
  })
  say('entries of the history', `${first} before`, `${left} afterwards`)
  probe.close()
  await server.stop()
}

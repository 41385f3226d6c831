import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import { type FolderRole, lockFolder } from './folder-lock.js'

const locking = suite('the lock of a data folder')

const started: { child: ChildProcess }[] = []
locking.after.each(async () => void (await Promise.all(started.splice(0).map(kill))))

/** Another process that locks a folder, or the reason why it could not. */
async function another(dataDir: string, role: FolderRole): Promise<{ child: ChildProcess; said: string }> {
  const program = `
    import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.js', import.meta.url).href)}
    const use = { role: ${JSON.stringify(role)}, what: 'a test' }
    await lockFolder(${JSON.stringify(dataDir)}, use).then(() => console.log('in'), error => console.log(error.message))
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  started.push({ child })
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', text => resolve(String(text).trim()))
    child.once('exit', code => reject(new Error(`the process ended with ${code}`)))
  })
  return { child, said }
}
async function kill({ child }: { child: ChildProcess }): Promise<void> {
  if (child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
async function inFolder(use: (dataDir: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  try {
    await use(folder.path)
  } finally {
    folder.remove()
  }
}

const together: readonly [FolderRole, FolderRole, boolean][] = [
  ['server', 'server', false],
  ['server', 'maintenance', false],
  ['server', 'reader', true],
  ['server', 'worker', true],
  ['worker', 'server', false],
  ['reader', 'server', true],
  ['reader', 'reader', true],
  ['reader', 'maintenance', false],
  ['maintenance', 'reader', false],
  ['maintenance', 'server', false],
]
for (const [first, second, isLetIn] of together) {
  locking(
    `${isLetIn ? 'admits' : 'does not admit'} a ${second} beside a ${first}, in this process and in another`,
    () =>
      inFolder(async dataDir => {
        const release = await lockFolder(dataDir, { role: first, what: 'a test' })
        const other = await another(dataDir, second)
        if (isLetIn) assert.is(other.said, 'in')
        else assert.match(other.said, new RegExp(`process ${process.pid}\\b`))
        await kill(other)
        const here = lockFolder(dataDir, { role: second, what: 'a test' })
        if (isLetIn) await (await here)()
        else assert.match(String(await rejects(here)), new RegExp(`process ${process.pid}\\b`))
        await release()
        await (await lockFolder(dataDir, { role: second, what: 'a test' }))()
      }),
  )
}

locking('is released with its process, however that ends, and held while a worker runs', () =>
  inFolder(async dataDir => {
    const server = await another(dataDir, 'server')
    const worker = await another(dataDir, 'worker')
    assert.equal([server.said, worker.said], ['in', 'in'])
    const use = { role: 'server', what: 'a test' } as const
    assert.match(
      String(await rejects(lockFolder(dataDir, use))),
      new RegExp(`process ${server.child.pid} already serves`),
    )
    await kill(server)
    assert.match(
      String(await rejects(lockFolder(dataDir, use))),
      new RegExp(`process ${worker.child.pid} already serves`),
    )
    await kill(worker)
    await (await lockFolder(dataDir, use))()
  }),
)

locking('is acquired by exactly one of many concurrent processes', () =>
  inFolder(async dataDir => {
    const many = await Promise.all(Array.from({ length: 6 }, () => another(dataDir, 'server')))
    const winners = many.filter(({ said }) => said === 'in')
    await Promise.all(many.map(kill))
    assert.is(winners.length, 1, many.map(({ said }) => said).join('\n'))
  }),
)

locking('removes leftovers when no other process uses the folder, and keeps replaced stores', () =>
  inFolder(async dataDir => {
    for (const name of ['store', 'store-before-7', 'store-before-8', 'store.unfinished/store', '.orch-storage-1-ab']) {
      mkdirSync(join(dataDir, name), { recursive: true })
    }
    writeFileSync(join(dataDir, 'store.maintenance'), '1')
    writeFileSync(join(dataDir, 'store/data.mdb'), 'new')
    writeFileSync(join(dataDir, 'store-before-7/data.mdb'), 'old')
    linkSync(join(dataDir, 'store/data.mdb'), join(dataDir, 'store-before-8/data.mdb'))
    await (await lockFolder(dataDir, { role: 'reader', what: 'a test' }))()
    assert.equal(readdirSync(dataDir).sort(), ['lock', 'store', 'store-before-7'])
    assert.ok(existsSync(join(dataDir, 'store/data.mdb')))
  }),
)

locking.run()

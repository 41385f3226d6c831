import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { storageMemory } from 'orch/plugins/storage-memory'
import { storageTools } from 'orch/plugins/storage-tools'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { maintenanceOf } from '../../kernel/storage/maintenance.js'
import { type ServerUnderTest, withServer } from '../api/with-server.js'
import { adminGet } from '../boot/admin-get.js'
import { serveBinary } from '../boot/run-binary.js'
import { eventually } from '../support/eventually.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

const patienceMs = 60_000
const plugins = [namespaces, configuration, storageMemory, storageTools]

async function inFolder(work: (folder: Folder) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  try {
    await work(folder)
  } finally {
    folder.remove()
  }
}
const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])
const metricOf = async (server: ServerUnderTest, name: string) => {
  const line = (await server.ask('GET', '/metrics')).text.split('\n').find(one => one.startsWith(name))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}
const write = (server: ServerUnderTest, name: string) =>
  server.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } })

const backups = suite('backups on a schedule')

backups('are written at the interval, only the newest are kept, and the last one can be restored', () =>
  inFolder(async folder => {
    const backupDir = join(folder.path, 'saved')
    mkdirSync(backupDir)
    writeFileSync(join(backupDir, 'notes.txt'), 'mine')
    // Created while the clock was ahead: it neither delays nor replaces the next one.
    for (const name of ['orch-store-1.mdb', 'orch-store-2.mdb']) {
      writeFileSync(join(backupDir, name), 'old')
      utimesSync(join(backupDir, name), new Date(), new Date(Date.now() + 1e10))
    }
    let written = 0
    await withServer({ plugins, options: { backupInterval: '100ms', backupKeep: 2, backupDir } }, async server => {
      await eventually(
        'five backups',
        async () => {
          await write(server, `map-${written++}`)
          return ((await metricOf(server, 'storage_backup_total{result="success"}')) ?? 0) >= 5
        },
        patienceMs,
      )
      const last = await metricOf(server, 'storage_backup_last_success_timestamp_seconds')
      assert.ok((last ?? 0) > Date.now() / 1000 - 600)
      assert.match((await server.ask('GET', '/healthz?verbose')).text, /\[\+\]storage-backup ok/)
    })
    const files = filesIn(backupDir)
    assert.is(files.length, 3, files.join())
    assert.ok(files.includes('notes.txt') && !files.includes('orch-store-2.mdb'))
    const dataDir = join(folder.path, 'restored')
    const { keys } = await maintenanceOf(dataDir).restore(
      join(backupDir, files.filter(name => name !== 'notes.txt').at(-1)!),
    )
    assert.ok(keys > 5)
  }),
)

backups('on an engine without files are exports, which are verified', () =>
  inFolder(async folder => {
    const backupDir = join(folder.path, 'saved')
    const options = { backupInterval: '10m', backupDir, storageEngine: 'memory' }
    await withServer({ plugins, options }, () =>
      eventually('the first backup', () => filesIn(backupDir).length === 1, patienceMs).then(() => {}),
    )
    const [name = ''] = filesIn(backupDir)
    assert.match(name, /^orch-store-\d+\.jsonl$/)
    const lines = readFileSync(join(backupDir, name), 'utf8').trimEnd().split('\n')
    assert.is(JSON.parse(lines.at(-1)!).count, lines.length - 2)
  }),
)

backups('a failure is reported in the log, in a metric and in /healthz, which then recovers', () =>
  inFolder(async folder => {
    const backupDir = join(folder.path, 'saved')
    const log: string[] = []
    const options = { backupInterval: '200ms', backupDir }
    await withServer({ plugins, options, log: line => log.push(line) }, async server => {
      const health = async () => (await server.ask('GET', '/healthz?verbose')).text
      const replaceFolder = (make: () => void) => {
        rmSync(backupDir, { recursive: true, force: true })
        make()
      }
      replaceFolder(() => writeFileSync(backupDir, 'a file in the way'))
      await eventually(
        'the health check to fail',
        async () => /\[-\]storage-backup failed/.test(await health()),
        patienceMs,
      )
      assert.is((await server.ask('GET', '/readyz')).status, 200)
      assert.ok(((await metricOf(server, 'storage_backup_total{result="failure"}')) ?? 0) > 0)
      assert.ok(log.some(line => line.includes('the store could not be backed up')))
      replaceFolder(() => mkdirSync(backupDir))
      await eventually('it to recover', async () => /\[\+\]storage-backup ok/.test(await health()), patienceMs)
    })
  }),
)

backups('a server with workers creates them in one separate process', () =>
  inFolder(async folder => {
    const server = await serveBinary(folder.path, '--secure-port=0', '--workers=2', '--backup-interval=1h')
    try {
      const saved = join(folder.path, 'data/backups')
      await eventually('its line', () => server.err().includes('the store was backed up'), patienceMs)
      assert.match(filesIn(saved).join(), /^orch-store-\d+\.mdb$/)
      const { body } = await adminGet(join(folder.path, 'data/admin.conf'), '/metrics')
      assert.match(body, /storage_backup_total\{result="success"\} 1\n/)
    } finally {
      await server.stop()
    }
  }),
)

backups.run()

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import { LogFile } from './log-file.js'

const patienceMs = 60_000
const mebibyte = 1024 * 1024

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-log-file-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function aFile(path: string, rotation: object = {}) {
  const [logger, clock] = [fakeLogger(), fakeClock(Date.parse('2026-01-02T03:04:05.678Z'))]
  let lost = 0
  const file = new LogFile({
    path,
    what: 'the log',
    rotation: { maxMegabytes: 0, maxBackups: 0, maxAgeDays: 0, ...rotation },
    clock,
    logger,
    sharedWork: { declare: (_, work) => async question => work(question) },
    onLoss: lines => (lost += lines),
  })
  return { file, logger, clock, lost: () => lost }
}
/** The rotated files, oldest first. */
const backupsIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => /^audit-.*\.log$/.test(name))
    .sort()
const linesOf = (...path: string[]) =>
  readFileSync(join(...path), 'utf8')
    .split('\n')
    .slice(0, -1)
const aLine = (number: number) => `${String(number).padStart(4, '0')}${'x'.repeat(10_000)}\n`

const files = suite('a file of log lines')

files('that cannot be opened at the start throws at once', () =>
  inFolder(async folder => {
    writeFileSync(join(folder, 'file'), '')
    assert.throws(() => aFile(join(folder, 'file', 'audit.log')), /^the log cannot be opened: ENOTDIR|EEXIST/)
  }),
)

files('creates its folder, readable by its owner only, also after it was removed', () =>
  inFolder(async folder => {
    const [inside, path] = [join(folder, 'logs'), join(folder, 'logs', 'of-orch', 'audit.log')]
    const { file, lost } = aFile(path)
    assert.is(statSync(inside).mode & 0o77, 0)
    file.write('before\n')
    rmSync(inside, { recursive: true })
    await eventually(
      'the new file',
      () => {
        file.write('after\n')
        return existsSync(path)
      },
      patienceMs,
    )
    await file.close()
    assert.match(readFileSync(path, 'utf8'), /^(after\n)+$/)
    assert.is(lost(), 0)
  }),
)

files('starts a new line after one that a full disk truncated', () =>
  inFolder(async folder => {
    const path = join(folder, 'audit.log')
    writeFileSync(path, 'whole\nhal')
    for (const line of ['first\n', 'second\n']) {
      const { file } = aFile(path)
      file.write(line)
      file.write('more\n')
      await file.close()
    }
    assert.equal(linesOf(path), ['whole', 'hal', 'first', 'more', 'second', 'more'])
  }),
)

files('reports losses when it is closed before it can be written to again', () =>
  inFolder(async folder => {
    const path = join(folder, 'audit.log')
    symlinkSync('/dev/full', path)
    const { file, logger, lost } = aFile(path)
    file.write('lost\n')
    file.write('lost\n')
    await file.close()
    assert.equal([logger.lines.at(-1)?.message, lost()], ['the log has lost events', 2])
  }),
)

files(
  'on a full disk loses lines, which are counted and reported once, and is written to again when there is space',
  () =>
    inFolder(async folder => {
      const path = join(folder, 'audit.log')
      symlinkSync('/dev/full', path)
      const { file, logger, lost } = aFile(path)
      const said = (level: string) => logger.lines.filter(line => line.level === level).length
      file.write('lost\n')
      await eventually('a report of the full disk', () => said('error') > 0, patienceMs)
      file.write('lost\n')
      rmSync(path)
      await eventually(
        'the file',
        () => {
          file.write('kept\n')
          return said('warn') > 0
        },
        patienceMs,
      )
      await file.close()
      assert.match(readFileSync(path, 'utf8'), /^(kept\n)+$/)
      assert.ok(lost() >= 2)
      assert.equal([said('error'), said('warn')], [1, 1])
    }),
)

files('is rotated before it exceeds its limit, and no line is lost or duplicated', () =>
  inFolder(async folder => {
    const { file } = aFile(join(folder, 'audit.log'), { maxMegabytes: 1 })
    for (let number = 0; number < 350; number++) file.write(aLine(number))
    await file.close()
    const backups = backupsIn(folder)
    assert.equal(backups, [
      'audit-2026-01-02T03-04-05.678.log',
      'audit-2026-01-02T03-04-05.679.log',
      'audit-2026-01-02T03-04-05.680.log',
    ])
    const all = [...backups, 'audit.log']
    for (const name of all) assert.ok(statSync(join(folder, name)).size <= mebibyte)
    const numbers = all.flatMap(name => linesOf(folder, name).map(line => Number(line.slice(0, 4))))
    assert.equal(
      numbers,
      Array.from({ length: 350 }, (_, number) => number),
    )
  }),
)

files('is continued after a restart, and only the newest rotated files are retained', () =>
  inFolder(async folder => {
    for (let run = 0; run < 4; run++) {
      const { file, clock } = aFile(join(folder, 'audit.log'), { maxMegabytes: 1, maxBackups: 2 })
      await clock.advance(run * 1000)
      for (let number = 0; number < 60; number++) file.write(aLine(number))
      await file.close()
    }
    for (let number = 0; number < 2; number++) await eventually('two backups', () => backupsIn(folder).length <= 2)
    assert.ok(linesOf(folder, 'audit.log').length > 0)
  }),
)

files('that is too old after rotation is removed, and no file with another name is', () =>
  inFolder(async folder => {
    const names = ['audit-2025-12-30T00-00-00.000.log', 'audit-2026-01-01T23-00-00.000.log', 'audit-notes.log']
    for (const name of names) symlinkSync('/dev/null', join(folder, name))
    const { file } = aFile(join(folder, 'audit.log'), { maxAgeDays: 1 })
    await eventually('the old one to be gone', () => !readdirSync(folder).includes(names[0]!), patienceMs)
    await file.close()
    assert.equal(readdirSync(folder).sort(), [...names.slice(1), 'audit.log'].sort())
  }),
)

files('that was moved away is created again', () =>
  inFolder(async folder => {
    const path = join(folder, 'audit.log')
    const { file } = aFile(path)
    file.write('before\n')
    renameSync(path, join(folder, 'moved'))
    await eventually(
      'the new file',
      () => {
        file.write('after\n')
        return readdirSync(folder).includes('audit.log')
      },
      patienceMs,
    )
    await file.close()
    assert.is(linesOf(folder, 'moved')[0], 'before')
    assert.match(readFileSync(path, 'utf8'), /^(after\n)+$/)
  }),
)

files.run()

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import { AuditFile } from './audit-file.js'

const patienceMs = 30_000

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-audit-file-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const files = suite('the file of the audit log')

files('a file that cannot be opened at the start is an error at once', () =>
  inFolder(async folder => {
    assert.throws(() => new AuditFile(join(folder, 'no', 'such', 'folder'), fakeLogger()), /ENOENT/)
  }),
)

files('a full disk costs lines, is reported, and is written to again when there is room', () =>
  inFolder(async folder => {
    const path = join(folder, 'audit.log')
    symlinkSync('/dev/full', path)
    const logger = fakeLogger()
    const file = new AuditFile(path, logger)
    const said = (level: string) => logger.lines.some(line => line.level === level)
    file.write('lost\n')
    await eventually('a report of the full disk', () => said('error') || undefined, patienceMs)
    rmSync(path)
    await eventually(
      'the file',
      () => {
        file.write('kept\n')
        return said('warn') || undefined
      },
      patienceMs,
    )
    await file.close()
    assert.match(readFileSync(path, 'utf8'), /^(kept\n)+$/)
  }),
)

files.run()

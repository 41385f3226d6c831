import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeOnce } from './assets-folder.js'

const once = suite('a folder that is created once')

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-assets-'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

once('is created by one of several concurrent calls, and the others leave nothing behind', () =>
  inFolder(async parent => {
    const folder = join(parent, 'made')
    const write = (text: string) =>
      makeOnce(folder, async unfinished => {
        await new Promise(resolve => setImmediate(resolve))
        writeFileSync(join(unfinished, 'one'), text)
      })
    await Promise.all(['a', 'b', 'c'].map(write))
    await write('later')
    assert.equal(readdirSync(parent), ['made'])
    assert.match(readFileSync(join(folder, 'one'), 'utf8'), /^[abc]$/)
  }),
)

once('does not exist if its creation failed', () =>
  inFolder(async parent => {
    const failure = await makeOnce(join(parent, 'made'), () => Promise.reject(new Error('no'))).catch(
      (error: Error) => error.message,
    )
    assert.is(failure, 'no')
    assert.equal(readdirSync(parent), [])
  }),
)

once.run()

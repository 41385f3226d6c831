import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../test/support/temporary-folder.js'
import type { Logger } from './basic-services.js'
import { ChangingFiles } from './changing-files.js'
import { fakeClock } from './testing/index.js'

test('what files hold is read again when one changes, and kept while they make no sense', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'number')
  const write = (text: string) => writeFileSync(path, text)
  const parse = ([text]: readonly string[]) => {
    if (Number.isNaN(Number(text))) throw new Error(`${text} is no number`)
    return { value: Number(text) }
  }
  const clock = fakeClock()
  const told: string[] = []
  const tell = (message: string) => void told.push(message)
  const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell, child: () => logger }
  const open = () => new ChangingFiles({ what: 'a number', paths: [path], parse, clock, logger })
  try {
    assert.throws(open, /ENOENT/)
    write('none')
    assert.throws(open, /none is no number/)
    write('1')
    const files = open()
    assert.is(files.current(), files.current())
    write('22')
    assert.is(files.current().value, 1, 'not looked at within a second')
    await clock.advance(1000)
    assert.is(files.current().value, 22)
    write('some')
    for (let time = 0; time < 3; time++) {
      await clock.advance(1000)
      assert.is(files.current().value, 22)
    }
    rmSync(path)
    await clock.advance(1000)
    assert.is(files.current().value, 22)
    write('333')
    await clock.advance(1000)
    assert.is(files.current().value, 333)
    assert.equal(told, [
      'a number changed',
      'a number could not be read again',
      'a number could not be read again',
      'a number changed',
    ])
  } finally {
    folder.remove()
  }
})

test.run()

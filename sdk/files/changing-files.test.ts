import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import type { Logger } from '../plugin/basic-services.js'
import { fakeClock, fakeLogger, fakeMetrics } from '../testing/index.js'
import { ChangingFiles } from './changing-files.js'
import { FollowedFiles } from './followed-files.js'

test('files are read again when one changes, and the previous contents are kept while they are invalid', async () => {
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

test('referenced files are followed as well, and the metrics show when the contents in use are outdated', async () => {
  const folder = temporaryFolder()
  const named = folder.write('named', 'a')
  const list = folder.write('list', named)
  const [clock, metrics] = [fakeClock(), fakeMetrics()]
  const look = async () => {
    await clock.advance(1000)
    return files.current()
  }
  const files = new ChangingFiles({
    what: 'lists',
    paths: [list],
    parse: ([text = '']) => {
      if (text === '') throw new Error('nothing')
      return { path: text }
    },
    namedIn: ({ path }) => [path],
    clock,
    logger: fakeLogger(),
    metrics,
  })
  try {
    const first = await look()
    folder.write('named', 'other')
    const second = await look()
    assert.is.not(second, first)
    assert.is(await look(), second)
    const refused = () => metrics.valueOf('apiserver_file_reload_refused', { what: 'lists' })
    const counted = (result: string) => metrics.valueOf('apiserver_file_reloads_total', { what: 'lists', result })
    assert.equal([refused(), counted('success'), counted('failure')], [0, 1, 0])
    folder.write('list', '')
    assert.is(await look(), second)
    assert.equal([refused(), counted('success'), counted('failure')], [1, 1, 1])
    folder.write('list', named)
    assert.is.not(await look(), second)
    assert.equal([refused(), counted('success'), counted('failure')], [0, 2, 1])
  } finally {
    folder.remove()
  }
})

test('followed files are applied automatically; contents that fail to apply are retried with backoff', async () => {
  const folder = temporaryFolder()
  const path = folder.write('word', 'first')
  const [clock, logger, metrics] = [fakeClock(), fakeLogger(), fakeMetrics()]
  let inForce = ''
  let isAccepted = true
  let attempts = 0
  const files = new FollowedFiles({
    what: 'a word',
    paths: [path],
    parse: ([text = '']) => ({ text }),
    async apply({ text }) {
      attempts++
      if (!isAccepted) throw new Error('not now')
      inForce = text
    },
    clock,
    logger,
    metrics,
  })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await clock.advance(1000)
  }
  try {
    await files.start()
    assert.is(inForce, 'first')
    folder.write('word', 'second')
    await pass(1)
    assert.is(inForce, 'second')
    isAccepted = false
    folder.write('word', 'the third')
    attempts = 0
    await pass(10)
    assert.is(inForce, 'second')
    assert.is(attempts, 4, 'after 0, 1, 3 and 7 seconds')
    assert.is(metrics.valueOf('apiserver_file_reload_refused', { what: 'a word' }), 1)
    isAccepted = true
    await pass(10)
    assert.is(inForce, 'the third')
    assert.is(metrics.valueOf('apiserver_file_reload_refused', { what: 'a word' }), 0)
    assert.equal(
      logger.lines.map(({ message }) => message),
      ['a word changed', 'a word could not be read again', 'a word changed'],
    )
    await files.stop()
    folder.write('word', 'fourth')
    await pass(5)
    assert.is(inForce, 'the third')
  } finally {
    await files.stop()
    folder.remove()
  }
})

test.run()

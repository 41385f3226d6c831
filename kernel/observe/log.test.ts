import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLogger, logFormat } from './log.js'

const log = suite('log')

function captured(verbosity = 0) {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({ verbosity, destination: { write: line => void lines.push(JSON.parse(line)) } })
  return { logger, lines }
}

log('writes one JSON object per line, with time, level, message and fields', () => {
  const { logger, lines } = captured()
  logger.info('hello', { port: 6443 })
  const { time, ...rest } = lines[0] ?? {}
  assert.equal(rest, { level: 'info', message: 'hello', port: 6443 })
  assert.match(String(time), /^\d{4}-\d\d-\d\dT/)
})

log('writes text for people: time, level, message and fields', () => {
  let text = ''
  const logger = createLogger({ verbosity: 0, format: 'text', destination: { write: line => (text += line) } })
  logger.info('serving', { address: 'https://127.0.0.1:6443', names: ['a', 'b c'], token: 's3cret', count: 3 })
  assert.match(
    text,
    /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO {2}serving address=https:\/\/127\.0\.0\.1:6443 names=a,"b c" token=\[hidden\] count=3\n$/,
  )
  text = ''
  logger.warn('careful', { name: 'two\nlines', error: new Error('why') })
  assert.match(text, /WARN {2}careful name="two\\nlines" error="Error: why"\n {4}at .*log\.test/)
  text = ''
  logger.error('failed', { cause: new Error('why').stack, code: 500 })
  assert.match(text, /ERROR failed cause="Error: why" code=500\n {4}at .*log\.test/)
  text = ''
  logger.error('failed', { error: new Error('this', { cause: new Error('that') }) })
  assert.match(text, /error="Error: this"\n {4}at .*\n {2}caused by Error: that\n {4}at /s)
  text = ''
  for (const error of [null, 'a word', 3, { code: 7 }]) logger.error('failed', { error })
  assert.equal(text.match(/error=.*/g), ['error=null', 'error="a word"', 'error=3', 'error="{ code: 7 }"'])
})

log('paints the level for a terminal, and nothing else', () => {
  let text = ''
  const logger = createLogger({ verbosity: 0, format: 'colors', destination: { write: line => (text += line) } })
  logger.error('bad', { name: '\u001b[2J' })
  assert.match(text, / \u001b\[31mERROR\u001b\[0m bad name="\\u001b\[2J"\n$/)
})

log(
  'escapes control characters in messages, fields and errors, so that they cannot forge lines or control a terminal',
  () => {
    const evil = 'a\n12:00:00 INFO  all is well\u001b[2J\u009b2J\u0085\u2028\u202e'
    for (const format of ['text', 'json'] as const) {
      let text = ''
      const logger = createLogger({ verbosity: 0, format, destination: { write: line => (text += line) } })
      logger.warn(`refused ${evil}`, { name: evil, names: [evil], other: { evil }, error: new Error(evil) })
      assert.not.match(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
      assert.not.match(text.trimEnd(), format === 'json' ? /\n/ : /\n(?! {2})/)
      if (format === 'json') assert.is(JSON.parse(text).name, evil)
    }
  },
)

log('is text, in colors on a terminal, unless JSON is requested', () => {
  const at = (isTerminal: boolean, environment = {}) => ({ isTerminal, environment })
  assert.equal(
    [
      logFormat('text', at(false)),
      logFormat('text', at(true)),
      logFormat('text', at(true, { NO_COLOR: '1' })),
      logFormat('json', at(true)),
      logFormat('json', at(false)),
    ],
    ['text', 'colors', 'text', 'json', 'json'],
  )
})

log('adds the fields of a child', () => {
  const { logger, lines } = captured()
  logger.child({ plugin: 'one' }).child({ requestId: 'abc' }).warn('careful')
  assert.is(lines[0]?.['plugin'], 'one')
  assert.is(lines[0]?.['requestId'], 'abc')
})

log('shows debugging lines from verbosity 4 on', () => {
  for (const [verbosity, expected] of [
    [0, 0],
    [3, 0],
    [4, 1],
  ] as const) {
    const { logger, lines } = captured(verbosity)
    logger.debug('details')
    assert.is(lines.length, expected)
  }
})

log('hides credentials, also inside objects and in children', () => {
  const { logger, lines } = captured()
  logger.info('request', {
    token: 's3cret',
    headers: { authorization: 's3cret' },
    request: { headers: { cookie: 's3cret' } },
  })
  logger.child({ password: 's3cret' }).info('child')
  assert.not.match(JSON.stringify(lines), /s3cret/)
  assert.is(lines[0]?.['token'], '[hidden]')
})

log('keeps the message and stack of an error', () => {
  const { logger, lines } = captured()
  logger.error('failed', { error: new Error('why') })
  assert.is((lines[0]?.['error'] as { message: string } | undefined)?.message, 'why')
})
log.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLogger } from './log.js'

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

log('gives a child its own fields', () => {
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

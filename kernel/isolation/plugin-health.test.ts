import type { Metrics } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { IsolationMetrics } from './isolation-metrics.js'
import { HealthRecord } from './plugin-health.js'
import type { Violation } from './plugin-messages.js'
import { UnreadableAnswer } from './unreadable-answer.js'

const records = suite('the health of an isolated plugin')

const usage = { is: 'usage', usage: { memoryBytes: 1, cpuSeconds: 0 } } as const
const refused = (what: string) => ({ is: 'violation', violation: { kind: 'file', what } }) as const

function aRecord() {
  let minutes = 0
  const audited: Violation[] = []
  const lines: string[] = []
  const counted = new Map<string, number>()
  const instrument = (name: string) => ({
    inc: (labels = {}, by = 1) => {
      const key = `${name} ${JSON.stringify(labels)}`
      counted.set(key, (counted.get(key) ?? 0) + by)
    },
    set: () => {},
    observe: () => {},
  })
  const metrics: Metrics = { counter: instrument, gauge: instrument, histogram: instrument }
  const log = (line: string) => void lines.push(line)
  const logger = { debug: log, info: log, warn: log, error: log, child: () => logger }
  const observers = {
    logger,
    metrics: new IsolationMetrics(metrics),
    audit: (_: string, violation: Violation) => void audited.push(violation),
  }
  const anotherVersion = () => {
    const made = new HealthRecord(
      () => 'guard',
      () => minutes * 60_000,
    )
    made.observeWith(observers)
    return made
  }
  const record = anotherVersion()
  const pass = (more: number) => {
    minutes += more
    record.happened(usage)
  }
  return { record, anotherVersion, pass, audited, lines, counted }
}

records('a violation makes it unhealthy until there was none for ten minutes', () => {
  const { record, pass } = aRecord()
  record.happened(refused('read /x'))
  assert.is(record.health.reason, 'PermissionDenied')
  pass(9)
  record.happened(refused('read /y'))
  pass(9)
  assert.equal([record.health.isHealthy, record.health.message], [false, 'It was refused: read /y.'])
  pass(1)
  assert.equal([record.health.isHealthy, record.health.violations], [true, 2])
  assert.match(record.health.message, /It serves. Before: It was refused: read \/y\./)
})

records('a new process does not clear the violations of the one before', () => {
  const { record, pass } = aRecord()
  record.happened(refused('read /x'))
  record.happened({ is: 'failed', why: 'it ended', delayMs: 1 })
  assert.is(record.health.reason, 'Failed')
  record.happened({ is: 'ready' })
  assert.equal([record.health.isHealthy, record.health.reason], [false, 'PermissionDenied'])
  pass(10)
  assert.is(record.health.isHealthy, true)
})

records('a plugin that failed and serves again is healthy, and shows the last failure', () => {
  const { record } = aRecord()
  record.happened({ is: 'failed', why: 'it ended', delayMs: 1 })
  record.happened({ is: 'ready' })
  assert.equal(
    [record.health.isHealthy, record.health.message],
    [true, 'It serves; it was started 2 times. Before: it ended.'],
  )
})

records('an unreadable answer is cleared in the same way', () => {
  const { record, pass } = aRecord()
  record.called('review', 0.001, new UnreadableAnswer('no verdict'))
  assert.is(record.health.reason, 'UnreadableAnswer')
  pass(10)
  assert.is(record.health.isHealthy, true)
})

records('every violation is counted by its kind; a flood of them is only partly logged and audited', () => {
  const { record, audited, lines, counted } = aRecord()
  for (let each = 0; each < 1000; each++) record.happened(refused(`read /${each}`))
  assert.is(counted.get('isolated_plugin_violations_total {"plugin":"guard","kind":"file"}'), 1000)
  assert.equal([audited.length, lines.length], [20, 20])
  assert.equal(audited[0], { kind: 'file', what: 'read /0' })
})

records('CPU time is counted once, while two versions run side by side and when a process is replaced', () => {
  const { record, anotherVersion, counted } = aRecord()
  const next = anotherVersion()
  const uses = (one: HealthRecord, cpuSeconds: number) =>
    one.happened({ is: 'usage', usage: { memoryBytes: 1, cpuSeconds } })
  uses(record, 100)
  uses(next, 1)
  uses(record, 101)
  uses(next, 2)
  uses(next, 0.5)
  assert.is(counted.get('isolated_plugin_cpu_seconds_total {"plugin":"guard"}'), 103.5)
})

records.run()

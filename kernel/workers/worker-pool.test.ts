import { fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import { WorkerPool } from './worker-pool.js'
import type { WorkerProcess } from './worker-process.js'

/** A fake process. */
class FakeProcess implements WorkerProcess {
  readonly pid: number
  readonly received: { topic?: string; answers?: number; content?: unknown }[] = []
  readonly signals: string[] = []
  readonly channel = {
    send: (message: unknown) => void this.received.push(message as never),
    onMessage: (receive: (message: unknown) => void) => {
      this.say = receive
    },
  }
  say: (message: unknown) => void = () => {}
  exit: (ending: number | string) => void = () => {}

  constructor(pid: number) {
    this.pid = pid
  }
  give(): void {}
  onExit(listener: (ending: number | string) => void): void {
    this.exit = listener
  }
  kill(signal: string): void {
    this.signals.push(signal)
  }
}

function fakePool(count: number) {
  const clock = fakeClock()
  const { logger, lines } = linesOf()
  const processes: FakeProcess[] = []
  const fork = () => {
    const forked = new FakeProcess(100 + processes.length)
    processes.push(forked)
    return forked
  }
  const pool = new WorkerPool({ count, fork, clock, logger, stopDelayMs: 0, prepare: () => {} })
  const listening = pool.listen({ host: '127.0.0.1', port: 0 })
  listening.catch(() => {})
  return { clock, lines, processes, pool, listening }
}
function linesOf() {
  const lines: string[] = []
  const logger = {
    ...fakeLogger(),
    warn: (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`),
    error: (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  }
  return { logger, lines }
}
/** Closes a pool whose processes stop on request. */
async function end({ pool, processes }: ReturnType<typeof fakePool>): Promise<void> {
  const closed = pool.close(0)
  for (const each of processes) each.exit(0)
  await closed
}

const pools = suite('the pool of workers')

pools('forks at once, starts workers when the port is open, and is open when all of them serve', async () => {
  const game = fakePool(2)
  const { processes, listening } = game
  assert.is(processes.length, 2)
  for (const each of processes) each.say({ topic: 'booted', question: 1 })
  await eventually('an answer to each', () => processes.every(({ received }) => received.length > 0), 30_000)
  for (const each of processes) each.say({ topic: 'serving' })
  const port = await listening
  assert.ok(port > 0)
  for (const { received } of processes) assert.equal(received, [{ answers: 1, content: { port } }])
  await end(game)
})

pools('immediately replaces a worker that served and was killed', async () => {
  const game = fakePool(2)
  const { processes, clock, lines } = game
  for (const each of processes) each.say({ topic: 'serving' })
  processes[0]?.exit('SIGKILL')
  await clock.advance(0)
  assert.is(processes.length, 3)
  assert.match(lines[0] ?? '', /a worker exited; it is replaced .*"pid":100,"ending":"SIGKILL","waitMs":0/)
  await end(game)
})

pools('replaces one that keeps crashing at the start with backoff, and logs the delay', async () => {
  const game = fakePool(1)
  const { processes, clock, lines } = game
  for (const waitMs of [250, 500, 1000, 2000]) {
    const forked = processes.length
    processes.at(-1)?.exit(1)
    await clock.advance(waitMs - 1)
    assert.is(processes.length, forked)
    await clock.advance(1)
    assert.is(processes.length, forked + 1)
    assert.match(lines.at(-1) ?? '', new RegExp(`"waitMs":${waitMs}\\}`))
  }
  await end(game)
})

pools('does not open if a worker reports that it cannot start', async () => {
  const game = fakePool(1)
  game.processes[0]?.say({ topic: 'failed', content: 'no licence' })
  const error = await game.listening.catch((thrown: Error) => thrown)
  assert.match(String(error), /no licence/)
  await end(game)
})

pools('stops its workers, replaces none of them then, and is closed when they have exited', async () => {
  const game = fakePool(2)
  const { processes, pool, clock } = game
  processes[0]?.exit('SIGKILL')
  const closed = pool.close(0)
  const [, second] = processes
  assert.equal(
    second?.received.map(({ topic }) => topic),
    ['stop'],
  )
  second?.exit(0)
  await closed
  await clock.advance(60_000)
  assert.is(processes.length, 2)
})

pools.run()

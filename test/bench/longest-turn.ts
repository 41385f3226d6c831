import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RunningServer } from '../support/start-orch.js'

const probe = fileURLToPath(new URL('turn-probe.js', import.meta.url))
/** The environment of a server whose event loop turns are measured. */
export const probed = { NODE_OPTIONS: `--import=${probe}` }

const mark = 'turns are measured from here'
const settleMs = 200

/** The CPU, in ms, of the longest turn of the event loop during some work; 0 if none took 5 ms. */
export async function longestTurn(server: RunningServer, work: () => Promise<void>): Promise<number> {
  const marks = () => server.output().split(mark).length
  const before = marks()
  process.kill(server.pid, 'SIGUSR2')
  while (marks() === before) await sleep(1)
  await work()
  await sleep(settleMs)
  const [, since = ''] = server.output().split(mark).slice(-2)
  return Math.max(0, ...[...since.matchAll(/longest turn ([\d.]+) ms/g)].map(([, ms]) => Number(ms)))
}

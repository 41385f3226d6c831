import type { Terminal } from '../world.js'

const stepMs = 500
/** Without a terminal nobody sees a line change, so a new one is written, but rarely. */
const quietStepMs = 15_000

/** Tells how far a long piece of work is, until `work` ends. Quick work tells nothing. */
export async function withProgress<T>(world: Terminal, describe: () => string, work: () => Promise<T>): Promise<T> {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const timer = world.overwrite
    ? setInterval(() => world.overwrite?.(`${describe()} (${seconds()}s)`), stepMs)
    : setInterval(() => world.tell(`${describe()} (${seconds()}s)`), quietStepMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    world.overwrite?.('')
  }
}

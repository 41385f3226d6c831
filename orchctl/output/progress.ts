import type { Terminal } from '../terminal.js'

const stepMs = 500
/** Without a terminal lines cannot be overwritten, so new ones are written less often. */
const quietStepMs = 15_000

/** Shows the progress of `work` until it ends. Short work shows nothing. */
export async function withProgress<T>(terminal: Terminal, describe: () => string, work: () => Promise<T>): Promise<T> {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const timer = terminal.overwrite
    ? setInterval(() => terminal.overwrite?.(`${describe()} (${seconds()}s)`), stepMs)
    : setInterval(() => terminal.log(`${describe()} (${seconds()}s)`), quietStepMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    terminal.overwrite?.('')
  }
}

import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server (`node --import`): prints how much CPU its main thread spent in one turn of the event loop, whenever that is
 * a new maximum. CPU time instead of wall time, so that other programs on the machine do not count.
 */
const everyMs = 1
const leastShownMs = 5

if (isMainThread) {
  const file = `/proc/self/task/${process.pid}/schedstat`
  const cpuMs = () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
  let longest = leastShownMs
  let last = cpuMs()
  const look = () => {
    const now = cpuMs()
    if (now - last > longest) {
      longest = now - last
      process.stderr.write(`longest turn ${longest.toFixed(1)} ms\n`)
    }
    last = now
  }
  setInterval(look, everyMs).unref()
  // Resets the maximum, so that the start is not measured.
  process.on('SIGUSR2', () => {
    longest = leastShownMs
    last = cpuMs()
    process.stderr.write('turns are measured from here\n')
  })
}

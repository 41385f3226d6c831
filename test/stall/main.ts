import { parseArgs } from 'node:util'
import { type Measured, measureStalls } from './measure-stalls.js'

/** `npm run stall [-- --every N --from M]`: what the most expensive requests cost, and a failure when one took too long. */
const { values } = parseArgs({
  options: { every: { type: 'string' }, from: { type: 'string' }, limit: { type: 'string' } },
})
const limitMs = Number(values.limit ?? 1000)
const shown = 40

const worst: Measured[] = []
let count = 0
await measureStalls(Number(values.every ?? 1), Number(values.from ?? 0), one => {
  if (++count % 500 === 0) process.stderr.write(`${count} requests\n`)
  worst.push(one)
  if (worst.length < 10 * shown) return
  worst.sort((a, b) => b.ms - a.ms).splice(shown)
})
worst.sort((a, b) => b.ms - a.ms).splice(shown)
for (const { ms, status, type, field, content } of worst)
  process.stdout.write(`${ms.toFixed(0).padStart(7)} ms  ${status}  ${type} ${field}: ${content}\n`)
const long = worst.filter(({ ms, status }) => ms > limitMs || status >= 500)
process.stdout.write(`${count} requests, ${long.length} over ${limitMs} ms or with a 5xx\n`)
process.exitCode = long.length === 0 ? 0 : 1

import { parseArgs } from 'node:util'
import type { ServerKind } from '../limits/attacked-server.js'
import { runRules } from './fuzz-rules.js'
import { fuzz } from './fuzz-server.js'
import { runSchemas } from './random-schemas.js'

/**
 * `npm run fuzz`: random requests to everything that is served, against a new server.
 *
 *   node dist/test/fuzz/main.js [--requests 200000] [--seed N] [--vendor orch] [--workers | --etcd]
 *   node dist/test/fuzz/main.js --mode schemas [--requests 50000] [--seed N]
 *   node dist/test/fuzz/main.js --mode rules [--requests 50000] [--seed N]
 *
 * The same seed makes the same requests. Unexpected responses of 500 and above, responses that take longer than a
 * second and leaks are failures; the last line has their number.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    vendor: { type: 'string', default: 'kubernetes' },
    workers: { type: 'boolean', default: false },
    etcd: { type: 'boolean', default: false },
    mode: { type: 'string', default: 'requests' },
  },
})
if (values.mode === 'rules') process.exit(runRules(Number(values.requests), Number(values.seed)))
if (values.mode === 'schemas') process.exit(await runSchemas(Number(values.requests), Number(values.seed)))
const kind: ServerKind = values.etcd ? 'the etcd engine' : values.workers ? 'two workers' : 'one process'
const requests = Number(values.requests)
const seed = Number(values.seed)
const vendor = values.vendor === 'orch' ? 'orch' : 'kubernetes'
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) throw new Error('--requests and --seed are numbers')
console.log(`${requests} requests to ${kind}, vendor ${vendor}: repeat with --seed ${seed}`)

const report = await fuzz({ requests, seed, kind, vendor, progress: text => console.log(text) })
for (const failure of report.failures) console.log(failure)
const { statuses, slowestMs, residentMegabytes, requestsPerSecond } = report
console.log([...statuses].map(([status, count]) => `${status}: ${count}`).join(', '))
console.log(`slowest answer ${slowestMs} ms, ${requestsPerSecond} requests a second`)
console.log(`memory ${residentMegabytes.early} MB after a third, ${residentMegabytes.late} MB at the end`)
console.log(`${report.failures.length} failures`)
process.exitCode = report.failures.length === 0 ? 0 : 1

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { missingProgram, type ServerKind } from '../limits/attacked-server.js'
import { fuzz } from './fuzz-server.js'

/** A part of `npm run fuzz`, on every kind of server. */
/** The same requests each time, so that failures are caused by changes; `npm run fuzz` tries more. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_116)
const shares: [kind: ServerKind, vendor: 'orch' | 'kubernetes', requests: number][] = [
  ['one process', 'kubernetes', 1500],
  ['two workers', 'orch', 400],
  ['the etcd engine', 'kubernetes', 400],
]

const served = suite('random requests to everything that is served')

for (const [kind, vendor, requests] of shares) {
  if (missingProgram(kind)) {
    console.log('SKIP etcd is not installed')
    continue
  }
  served(`get proper responses from ${kind}, and leak nothing`, async () => {
    console.log(`repeat with FUZZ_SEED=${seed}`)
    const { failures, statuses, slowestMs, requestsPerSecond } = await fuzz({ requests, seed, kind, vendor })
    for (const failure of failures) console.log(failure)
    console.log([...statuses].map(([status, count]) => `${status}: ${count}`).join(', '))
    console.log(`slowest answer ${slowestMs} ms, ${requestsPerSecond} requests a second`)
    assert.is(failures.length, 0, `failures are shown above; seed ${seed}`)
    // Requests that are all rejected early would prove little.
    assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > requests / 20)
  })
}

served.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { missingProgram, type ServerKind } from '../limits/attacked-server.js'
import { fuzz } from './fuzz-server.js'

/** A share of what `npm run fuzz` does, on every kind of server. */
/** The same requests each time: a run of all tests says what a change did, and `npm run fuzz` goes on to find more. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_116)
const shares: [kind: ServerKind, vendor: 'orch' | 'kubernetes', requests: number][] = [
  ['one process', 'kubernetes', 1500],
  ['two workers', 'orch', 400],
  ['the etcd engine', 'kubernetes', 400],
]

const served = suite('requests made of everything that is served')

for (const [kind, vendor, requests] of shares) {
  if (missingProgram(kind)) {
    console.log('SKIP etcd is not installed')
    continue
  }
  served(`are answered well by ${kind}, and leave nothing behind`, async () => {
    console.log(`repeat with FUZZ_SEED=${seed}`)
    const { failures, statuses, slowestMs, requestsPerSecond } = await fuzz({ requests, seed, kind, vendor })
    for (const failure of failures) console.log(failure)
    console.log([...statuses].map(([status, count]) => `${status}: ${count}`).join(', '))
    console.log(`slowest answer ${slowestMs} ms, ${requestsPerSecond} requests a second`)
    assert.is(failures.length, 0, `failures are shown above; seed ${seed}`)
    // Requests that are all refused at the door would show little.
    assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > requests / 20)
  })
}

served.run()

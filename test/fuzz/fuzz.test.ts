import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { credentialsFile, flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { malformedBodies } from './malformed-bodies.js'
import { malformedHeads } from './malformed-heads.js'
import { configMaps, encode, type MalformedKind } from './malformed-request.js'
import { type RawAnswer, RawConnection } from './raw-connection.js'
import { SeededRandom } from './seeded-random.js'

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 30_000)
/** The same requests each time, so that failures are caused by changes; `npm run fuzz` tries more. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_116)
const connections = 24
const failuresShown = 10
const shownLength = 300
const serverWordsShown = 3000
const token: string = JSON.parse(readFileSync(credentialsFile, 'utf8')).admin.token

const kinds = [...malformedBodies, ...malformedHeads]
const allWeights = kinds.reduce((sum, { weight }) => sum + weight, 0)
function pickKind(random: SeededRandom): MalformedKind {
  let left = random.fraction() * allWeights
  return kinds.find(({ weight }) => (left -= weight) < 0) ?? (kinds[0] as MalformedKind)
}

/** The problem with the response to a malformed request, or undefined. */
function complaint({ status, contentType, body }: RawAnswer): string | undefined {
  const text = body.toString()
  // Paths outside the API get plain 404 responses, as recorded.
  if (status === 404 && text === '404 page not found\n') return undefined
  if (status < 400 || status > 499) return `status ${status}: ${text.slice(0, 200)}`
  if (!contentType.startsWith('application/json'))
    return `${status} with media type ${contentType}: ${text.slice(0, 200)}`
  const answer = JSON.parse(text)
  const isStatus = answer.kind === 'Status' && answer.status === 'Failure' && answer.code === status
  return isStatus ? undefined : `${status} without a Status that fits: ${text.slice(0, 200)}`
}

const fuzz = suite('malformed input')

fuzz(`gets a 4xx Status, ${requests} times`, async () => {
  console.log(`seed ${seed}: repeat with FUZZ_SEED=${seed}`)
  const server = await startOrch({ flags: [...(await flagsOf('base')), '--tls=false'] })
  const failures: string[] = []
  const tally = new Map<string, number>()
  try {
    const admin = new RawConnection(server.url)
    const create = async (path: string, object: object) => {
      const { status } = await admin.exchange(encode({ method: 'POST', path, body: JSON.stringify(object) }, token))
      assert.is(status, 201)
    }
    await create('/api/v1/namespaces', { metadata: { name: 'fuzz' } })
    await create(configMaps, { metadata: { name: 'target' }, data: { k: 'v' } })

    let sent = 0
    const attack = async (lane: number) => {
      const random = new SeededRandom(seed + lane)
      const connection = new RawConnection(server.url)
      while (sent < requests && failures.length < failuresShown) {
        sent++
        const kind = pickKind(random)
        const request = kind.make(random)
        const bytes = encode(request, token)
        tally.set(kind.name, (tally.get(kind.name) ?? 0) + 1)
        const problem = await connection.exchange(bytes).then(complaint, error => String(error))
        // The boundary between requests is no longer certain.
        if (request.raw) connection.close()
        if (problem)
          failures.push(`${kind.name}: ${problem}\n    ${JSON.stringify(bytes.toString('latin1', 0, shownLength))}`)
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: connections }, (_, lane) => attack(lane)))
    if (failures.length > 0) console.log(`the server said last:\n${server.output().slice(-serverWordsShown)}`)

    const { status, body } = await admin.exchange(encode({ method: 'GET', path: `${configMaps}/target` }, token))
    assert.equal([status, JSON.parse(body.toString()).data], [200, { k: 'v' }], 'the server still works')
    admin.close()
  } finally {
    await server.stop()
  }
  for (const failure of failures) console.log(failure)
  for (const [name, count] of tally) console.log(`${String(count).padStart(7)} ${name}`)
  assert.is(failures.length, 0, `failures are shown above; seed ${seed}`)
})

fuzz.run()

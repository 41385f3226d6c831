import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SeededRandom } from '../fuzz/seeded-random.js'
import type { Step } from '../golden/scenario.js'
import { ScenarioClient } from '../golden/scenario-client.js'
import { credentialsFile, flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import type { Pair } from './converse.js'
import { randomConversation } from './random-conversation.js'
import { reportLines } from './report.js'
import { runDifferential } from './run-differential.js'
import { readVocabulary, type Vocabulary } from './vocabulary.js'

/** Two of our servers, at versions that differ only in one field of services as far as these requests are concerned. */
interface Context {
  servers: RunningServer[]
  pair: Pair
  vocabulary: Vocabulary
}
const seed = 8
const differential = suite<Context>('two servers of different versions')

differential.before(async context => {
  const flags = await Promise.all(['1.36', '1.30'].map(version => flagsOf('base', version)))
  context.servers = await Promise.all(flags.map(of => startOrch({ flags: of })))
  const [reference, target] = context.servers.map(({ url }) => new ScenarioClient(url, credentialsFile))
  context.pair = { reference: reference!, target: target!, explain: () => undefined }
  const get = async (path: string) => JSON.parse((await reference!.send({ path }, {})).bytes.toString('utf8'))
  context.vocabulary = await readVocabulary(get, ['services'])
})
differential.after(async ({ servers, pair }) => {
  pair.reference.close()
  pair.target.close()
  await Promise.all(servers.map(server => server.stop()))
})

differential('a difference is found, shrunk and grouped', async ({ pair, vocabulary }) => {
  const result = await runDifferential(pair, vocabulary, { requests: 150, seed, shrinkAttempts: 40 })
  assert.ok(result.answered >= 150)
  assert.equal(result.problems, [])
  const group = result.groups.find(({ cause }) => cause.includes('trafficDistribution'))
  assert.ok(group, reportLines({ seed, version: undefined }, result).join('\n'))
  const steps = ((group?.scenario['steps'] ?? []) as Step[]).filter(step => !step.setup && !step.cleanup)
  assert.is(steps.length, 1)
  assert.ok(steps[0]?.expect)
  const { spec = {} } = (steps[0]?.body ?? {}) as { spec?: object }
  assert.equal(Object.keys(spec).sort(), ['ports', 'trafficDistribution'])
})

differential('an explained difference is counted instead of reported', async ({ pair, vocabulary }) => {
  const explaining: Pair = { ...pair, explain: () => ({ reason: 'versions differ', ends: false }) }
  const { groups, explained } = await runDifferential(explaining, vocabulary, { requests: 60, seed })
  assert.equal(groups, [])
  assert.ok((explained.get('versions differ')?.hits ?? 0) > 0)
})

differential('the same seed makes the same conversation', ({ vocabulary }) => {
  const made = () => randomConversation(new SeededRandom(7), vocabulary, 7)
  assert.equal(made(), made())
  assert.not.equal(made().steps, randomConversation(new SeededRandom(8), vocabulary, 7).steps)
})
differential.run()

import { parseArgs } from 'node:util'
import { ScenarioClient } from '../golden/scenario-client.js'
import { credentialsFile, flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { createCustomTypes } from './custom-types.js'
import { loadExplanations } from './explained.js'
import { reportLines, writeReport } from './report.js'
import { runDifferential } from './run-differential.js'
import { readVocabulary } from './vocabulary.js'

/**
 * Sends the same random but meaningful requests to a reference and to a target, and reports different responses:
 *
 *   npm run differential -- --reference URL [--target URL | --kubernetes-version 1.36] [--requests 5000] [--seed 1]
 *     [--types pods,services] [--conversation N] [--parallel 6] [--shrink 200] [--credentials creds.json] [--out folder]
 *
 * Without a target it starts a server of that version. The same seed makes the same requests; --conversation repeats one of them.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    reference: text,
    target: text,
    'kubernetes-version': text,
    requests: { ...text, default: '5000' },
    seed: { ...text, default: '1' },
    types: text,
    conversation: text,
    parallel: { ...text, default: '6' },
    shrink: { ...text, default: '200' },
    credentials: { ...text, default: credentialsFile },
    out: { ...text, default: 'differential-report' },
  },
})
const number = (name: 'requests' | 'seed' | 'parallel' | 'shrink') => {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} must be a whole number, not ${values[name]}`)
  return value
}
if (values.reference === undefined) throw new Error('--reference must name the server that is right')
const version = values['kubernetes-version']
const seed = number('seed')
const server =
  values.target === undefined ? await startOrch({ flags: await flagsOf('base', version ?? '1.36') }) : undefined
const reference = new ScenarioClient(values.reference, values.credentials)
const target = new ScenarioClient(values.target ?? server!.url, values.credentials)
try {
  await Promise.all([reference, target].map(createCustomTypes))
  const get = async (path: string) =>
    JSON.parse((await reference.send({ method: 'GET', path }, {})).bytes.toString('utf8'))
  const vocabulary = await readVocabulary(get, values.types?.split(','))
  const result = await runDifferential({ reference, target, explain: loadExplanations() }, vocabulary, {
    requests: number('requests'),
    seed,
    parallel: number('parallel'),
    shrinkAttempts: number('shrink'),
    conversation: values.conversation === undefined ? undefined : Number(values.conversation),
    progress: line => console.error(line),
  })
  writeReport(values.out, { seed, version }, result)
  for (const line of reportLines({ seed, version }, result)) console.log(line)
  process.exitCode = result.groups.length === 0 ? 0 : 1
} finally {
  reference.close()
  target.close()
  await server?.stop()
}

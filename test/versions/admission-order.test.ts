import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { programFor } from '../support/orch-program.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The controls that are on by default in the recorded versions, in the order they run. */
const facts = JSON.parse(readFileSync(join(root, 'test/versions/facts/admission.json'), 'utf8')) as Record<
  string,
  readonly string[]
>
/** Does what the reference does when it stores a Service, and has no name there. */
const ours = ['ServiceAddresses']
const run = promisify(execFile)

const order = suite('admission controls by version')

for (const [version, expected] of Object.entries(facts))
  order(`${version} has those of the reference, in its order`, async () => {
    const words = ['plugins', '--vendor', 'kubernetes', '--kubernetes-version', version]
    const { stdout } = await run(process.execPath, [programFor([]), ...words], { cwd: root })
    const chain = stdout.slice(stdout.indexOf('admission chain'))
    const names = [...chain.matchAll(/^ +\d+\. (\w+)/gm)].map(([, name]) => name ?? '')
    assert.equal(
      names.filter(name => !ours.includes(name)),
      expected,
    )
  })

order.run()

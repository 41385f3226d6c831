import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const explain = suite('kubectl explain')

for (const [vendor, group] of [
  ['orch', 'certificates.orch.io'],
  ['kubernetes', 'certificates.k8s.io'],
] as const) {
  explain(`explains a field, with vendor ${vendor}`, async () => {
    const server = await startOrch({ flags: ['--vendor', vendor] })
    try {
      const kubectl = new Kubectl(program ?? '', server)
      assert.match(
        await kubectl.run('explain', 'pods.spec.restartPolicy'),
        /Always \(the default\), OnFailure or\s+Never/,
      )
      const told = await kubectl.run('explain', 'certificatesigningrequests.spec.signerName')
      // Older ones print group and version on one line, newer ones a line for each.
      assert.match(told, new RegExp(`${group.replaceAll('.', '\\.')}(/v1|\\n[^]*VERSION: +v1\\n)`))
      assert.match(told, 'The requested signer')
    } finally {
      await server.stop()
    }
  })
}

if (program === undefined) console.log('SKIP kubectl is not installed')
else explain.run()

import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serviceAccounts } from './resource.js'
import type { ServiceAccount } from './schema.js'
import { mainStrategy } from './strategy.js'

const conformance = suite('service accounts serve the whole API')

for (const { name, run } of resourceConformance<ServiceAccount>({
  resource: serviceAccounts({}),
  valid: () => ({ secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] }),
  update: object => {
    object.automountServiceAccountToken = false
  },
})) {
  conformance(name, run)
}

conformance('only names of Secrets are kept: they are always of the same namespace', () => {
  const draft: ServiceAccount = { secrets: [{ name: 'a', namespace: 'other', kind: 'Secret', uid: 'u' }, {}] }
  mainStrategy.prepareForCreate(draft)
  assert.equal(draft.secrets, [{ name: 'a' }, {}])
})

conformance.run()

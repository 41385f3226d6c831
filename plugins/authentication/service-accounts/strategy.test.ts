import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ServiceAccount } from './schema.js'
import { mainStrategy } from './strategy.js'

const accounts = suite('service accounts')

accounts('only names of Secrets are kept: they are always of the same namespace', () => {
  const draft: ServiceAccount = { secrets: [{ name: 'a', namespace: 'other', kind: 'Secret', uid: 'u' }, {}] }
  mainStrategy.prepareForCreate(draft)
  assert.equal(draft.secrets, [{ name: 'a' }, {}])
})

accounts.run()

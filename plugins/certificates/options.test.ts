import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CertificateOptions, maxLifetimeOf } from './options.js'

const options = suite('defaults of the certificate flags')

options('--cluster-signing-duration is one year', () => {
  const { clusterSigningDuration } = CertificateOptions.properties
  assert.is(maxLifetimeOf({ clusterSigningDuration: clusterSigningDuration.default }), 365 * 24 * 3_600_000)
})
options('--cluster-signing-duration is at least ten minutes, the shortest lifetime that can be requested', () => {
  assert.is(maxLifetimeOf({ clusterSigningDuration: '10m' }), 600_000)
  assert.throws(() => maxLifetimeOf({ clusterSigningDuration: '9m59s' }), /at least 10m/)
})
options.run()

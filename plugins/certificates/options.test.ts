import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CertificateOptions, longestLifeMs } from './options.js'

const options = suite('defaults of the certificate flags')

options('--cluster-signing-duration is one year', () => {
  const { clusterSigningDuration } = CertificateOptions.properties
  assert.is(longestLifeMs({ clusterSigningDuration: clusterSigningDuration.default }), 365 * 24 * 3_600_000)
})
options('--cluster-signing-duration is at least ten minutes, the shortest life that may be asked for', () => {
  assert.is(longestLifeMs({ clusterSigningDuration: '10m' }), 600_000)
  assert.throws(() => longestLifeMs({ clusterSigningDuration: '9m59s' }), /at least 10m/)
})
options.run()

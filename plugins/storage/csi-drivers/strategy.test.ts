import { kubernetesProfile, profileAtVersion, type StrategyContext, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CSIDriver, CSIDriverSpec } from './schema.js'
import { mainStrategy, validateDriver, validateDriverUpdate } from './strategy.js'

const drivers = suite('CSI drivers')
const at = (version: string) =>
  ({ vendor: new Vendor(profileAtVersion(kubernetesProfile, version)!) }) as StrategyContext
const aDriver = (spec: CSIDriverSpec = {}, generation?: number): CSIDriver => ({
  metadata: { name: 'csi.example.com', ...(generation === undefined ? {} : { generation }) },
  spec: { attachRequired: true, fsGroupPolicy: 'File', podInfoOnMount: false, ...spec },
})

drivers('the generation increases only when node agents must react to a change', () => {
  const next = (stored: CSIDriver, spec: CSIDriverSpec, version = '1.23') => {
    const draft = aDriver(spec)
    mainStrategy(true).prepareForUpdate(draft, stored, at(version))
    return draft.metadata?.generation
  }
  assert.is(next(aDriver(), { storageCapacity: true }), undefined)
  assert.is(next(aDriver(), { requiresRepublish: true }), 1)
  assert.is(next(aDriver({}, 3), { tokenRequests: [{ audience: 'a' }] }), 4)
  assert.is(next(aDriver({}, 3), { storageCapacity: true }), 3)
  assert.is(next(aDriver({}, 3), { storageCapacity: true }, '1.30'), 4)
})

drivers('audiences are unique, and their lifetime is limited', () => {
  const tokenRequests = [
    { audience: 'a' },
    { audience: 'a', expirationSeconds: 1 },
    { audience: 'b', expirationSeconds: 599 },
    { audience: 'c', expirationSeconds: 2 ** 32 + 1 },
    { audience: 'd', expirationSeconds: 600 },
  ]
  assert.equal(
    validateDriver(aDriver({ tokenRequests })).map(({ field }) => field),
    [
      'spec.tokenRequests[1].audience',
      'spec.tokenRequests[2].expirationSeconds',
      'spec.tokenRequests[3].expirationSeconds',
    ],
  )
})

drivers('settings for attaching and mounting are immutable', () => {
  const sent = aDriver({
    attachRequired: false,
    fsGroupPolicy: 'None',
    podInfoOnMount: true,
    volumeLifecycleModes: ['Ephemeral'],
    storageCapacity: true,
  })
  assert.equal(
    validateDriverUpdate(sent, aDriver(), at('1.23')).map(({ field }) => field),
    ['spec.attachedRequired', 'spec.fsGroupPolicy', 'spec.podInfoOnMount', 'spec.volumeLifecycleModes'],
  )
  assert.equal(
    validateDriverUpdate(sent, aDriver(), at('1.30')).map(({ field }) => field),
    ['spec.attachedRequired', 'spec.volumeLifecycleModes'],
  )
})

drivers('errors about tokens are reported twice before 1.30', () => {
  const sent = aDriver({
    tokenRequests: [{ audience: 'a', expirationSeconds: 1 }],
    volumeLifecycleModes: ['Ephemeral'],
  })
  const ofTokens = 'spec.tokenRequests[0].expirationSeconds'
  const errorsAt = (version: string) => validateDriverUpdate(sent, aDriver(), at(version)).map(({ field }) => field)
  assert.equal(errorsAt('1.29'), [ofTokens, 'spec.volumeLifecycleModes', ofTokens])
  assert.equal(errorsAt('1.30'), [ofTokens, 'spec.volumeLifecycleModes'])
})

drivers.run()

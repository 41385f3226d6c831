import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Container } from './container.js'
import { qualityOfService } from './quality-of-service.js'

const quality = suite('quality of service')
const both = { cpu: '1', memory: '1Gi' }
const cases: Record<string, { resources: Container['resources'][]; is: string }> = {
  'is BestEffort without any amount': { resources: [{}], is: 'BestEffort' },
  'is BestEffort with amounts of zero': { resources: [{ limits: { cpu: '0' } }], is: 'BestEffort' },
  'is BestEffort with amounts of other resources': {
    resources: [{ limits: { 'other.test/gpu': '1' } }],
    is: 'BestEffort',
  },
  'is Guaranteed when every container limits both and requests equal amounts': {
    resources: [{ limits: both, requests: { cpu: '1000m', memory: '1Gi' } }],
    is: 'Guaranteed',
  },
  'is Burstable when one container limits less': { resources: [{ limits: both, requests: both }, {}], is: 'Burstable' },
  'is Burstable when requests are lower than limits': {
    resources: [{ limits: both, requests: { cpu: '500m', memory: '1Gi' } }],
    is: 'Burstable',
  },
  'is Burstable with requests only': { resources: [{ requests: { cpu: '1' } }], is: 'Burstable' },
}
for (const [title, { resources, is }] of Object.entries(cases))
  quality(title, () => {
    assert.is(qualityOfService({ containers: resources.map((each, i) => ({ name: `c${i}`, resources: each })) }), is)
  })
quality.run()

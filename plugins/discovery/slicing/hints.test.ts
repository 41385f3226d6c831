import { orchProfile, Vendor } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discoveryNames } from '../names.js'
import { hintsOf } from './hints.js'

const hints = suite('hints of endpoints')
const names = discoveryNames(new Vendor({ ...orchProfile, name: 'acme' }))
const asking = (trafficDistribution: string, annotations: Record<string, string> = {}): Service => ({
  metadata: { name: 'web', annotations },
  spec: { trafficDistribution },
})
const endpoint = { addresses: ['10.0.0.1'], conditions: { ready: true }, zone: 'za', nodeName: 'n' }
const given = (service: Service, one: object = endpoint) => hintsOf(service, names)(one as typeof endpoint).hints

hints('name the zone, and with PreferSameNode the node', () => {
  for (const value of ['PreferClose', 'PreferSameZone'])
    assert.equal(given(asking(value)), { forZones: [{ name: 'za' }] })
  assert.equal(given(asking('PreferSameNode')), { forZones: [{ name: 'za' }], forNodes: [{ name: 'n' }] })
})

hints('are not set without a preference, or if the annotation takes precedence', () => {
  assert.is(given({ spec: {} }), undefined)
  assert.is(given(asking('PreferClose', { [names.topologyAnnotations[0] ?? '']: 'Auto' })), undefined)
})

hints('are not set on endpoints that are not ready or have no zone', () => {
  assert.is(given(asking('PreferClose'), { ...endpoint, conditions: { ready: false } }), undefined)
  assert.is(given(asking('PreferClose'), { addresses: ['10.0.0.1'], conditions: { ready: true } }), undefined)
})

hints.run()

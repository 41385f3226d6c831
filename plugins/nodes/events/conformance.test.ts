import { type Event, orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { nodeNames } from '../names.js'
import { coreEvents } from './resource.js'

const vendor = { ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }
const names = nodeNames(new Vendor(vendor))

const conformance = suite('events serve the whole API')

for (const { name, run } of resourceConformance<Event>({
  resource: coreEvents(names),
  vendor,
  valid: () => ({
    eventTime: '2030-01-02T03:04:05.000006Z',
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'anywhere' },
    reportingComponent: 'acme.test/reporter',
    reportingInstance: 'reporter-1',
    action: 'Testing',
    reason: 'BecauseWeCan',
  }),
  invalid: {
    'an event that happened to nobody knows what': object => {
      object.involvedObject = {}
    },
    'no action': object => {
      object.action = ''
    },
  },
  update: object => {
    object.count = 2
  },
})) {
  conformance(name, run)
}

conformance.run()

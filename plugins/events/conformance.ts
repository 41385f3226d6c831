import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { Event } from 'orch/sdk/core'
import { type EventNames, eventNames } from './names.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor, folder: string): ConformanceSamples {
  const names = eventNames(vendor)
  return {
    options: { admissionControlConfigFile: admissionConfiguration(vendor, names, folder) },
    samples: {
      events: {
        valid: () => ({ ...sample, involvedObject: regarding }),
        invalid: {
          'an event without an object': (object: Event) => {
            object.involvedObject = {}
          },
          'no action': (object: Event) => {
            object.action = ''
          },
        },
        update: (object: Event) => {
          object.count = 2
        },
      },
      // The same objects, with the field names of this group.
      [`events.${names.eventsGroup}`]: {
        valid: () => {
          const { reportingComponent: reportingController, ...rest } = sample
          return { ...rest, reportingController, regarding, type: 'Normal' }
        },
        invalid: {
          'no action': (object: { action?: string }) => {
            object.action = ''
          },
          'no reporter': (object: { reportingController?: string }) => {
            object.reportingController = ''
          },
        },
      },
    },
  }
}

/** Limits that are never reached: EventRateLimit does not start without limits. */
function admissionConfiguration(vendor: Vendor, names: EventNames, folder: string): string {
  const [apiVersion, kind] = (names.eventRateConfigurations[0] ?? '').split(' ')
  const configuration = { apiVersion, kind, limits: [{ type: 'Server', qps: 1e6, burst: 1e6 }] }
  const path = join(folder, 'admission.json')
  const file = {
    apiVersion: `${vendor.group('apiserver.config')}/v1`,
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'EventRateLimit', configuration }],
  }
  writeFileSync(path, JSON.stringify(file))
  return path
}

const regarding = { kind: 'Pod', name: 'p', namespace: 'conformance' }
const sample = {
  eventTime: '2030-01-02T03:04:05.000006Z',
  reportingComponent: 'example.com/reporter',
  reportingInstance: 'reporter-1',
  action: 'Testing',
  reason: 'BecauseWeCan',
}

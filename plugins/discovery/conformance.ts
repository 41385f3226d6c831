import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { EndpointSlice } from './endpoint-slices/schema.js'
import { discoveryNames } from './names.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  return {
    samples: {
      [`endpointslices.${discoveryNames(vendor).group}`]: {
        valid: (): EndpointSlice => ({
          addressType: 'IPv4',
          endpoints: [{ addresses: ['10.1.2.3'] }],
          ports: [{ name: 'web', port: 80 }],
        }),
        invalid: {
          'no type of address': (object: EndpointSlice) => {
            object.addressType = ''
          },
          'an address of another type': (object: EndpointSlice) => {
            object.endpoints = [{ addresses: ['fd00::1'] }]
          },
          'two ports of one name': (object: EndpointSlice) => {
            object.ports = [
              { name: 'a', port: 1 },
              { name: 'a', port: 2 },
            ]
          },
        },
        update: (object: EndpointSlice) => {
          object.ports = [{ name: 'web', port: 81 }]
        },
      },
    },
  }
}

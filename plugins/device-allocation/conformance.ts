import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { DeviceClass } from './device-classes/schema.js'
import type { DeviceTaintRule } from './device-taint-rules/schema.js'
import { deviceNames } from './names.js'
import type { ResourcePoolStatusRequest } from './pool-status-requests/schema.js'
import type { ResourceClaimTemplate } from './resource-claim-templates/schema.js'
import type { ResourceClaim } from './resource-claims/schema.js'
import type { ResourceSlice } from './resource-slices/schema.js'
import type { ResourceClaimSpec } from './schemas/claim-spec-schema.js'

const claimSpec = (deviceClassName: string): ResourceClaimSpec => ({
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName } }] },
})

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = deviceNames(vendor)
  return {
    samples: {
      [`deviceclasses.${group}`]: {
        valid: (): DeviceClass => ({ spec: { selectors: [{ cel: { expression: 'device.driver == "a.example"' } }] } }),
        invalid: {
          'an expression that does not compile': (object: DeviceClass) => {
            object.spec.selectors = [{ cel: { expression: 'device.' } }]
          },
          'configuration that is not an object': (object: DeviceClass) => {
            object.spec.config = [{ opaque: { driver: 'a.example', parameters: 'none' } }]
          },
        },
        update: (object: DeviceClass) => {
          object.spec.selectors = []
        },
      },
      [`resourceclaims.${group}`]: {
        valid: (): ResourceClaim => ({ spec: claimSpec('gpu.example') }),
        invalid: {
          'a request without a class': (object: ResourceClaim) => {
            object.spec = claimSpec('')
          },
          'a constraint about a request that is not there': (object: ResourceClaim) => {
            const constraints = [{ requests: ['other'], matchAttribute: 'a.example/numa' }]
            object.spec = { devices: { ...claimSpec('gpu.example').devices, constraints } }
          },
        },
        update: (object: ResourceClaim) => {
          object.metadata = { ...object.metadata, labels: { tier: 'gold' } }
        },
      },
      [`resourceclaimtemplates.${group}`]: {
        valid: (): ResourceClaimTemplate => ({ spec: { spec: claimSpec('gpu.example') } }),
        invalid: {
          'a request without a class': (object: ResourceClaimTemplate) => {
            object.spec.spec = claimSpec('')
          },
          'a name for all claims': (object: ResourceClaimTemplate) => {
            object.spec.metadata = { name: 'same' }
          },
        },
        update: (object: ResourceClaimTemplate) => {
          object.metadata = { ...object.metadata, labels: { tier: 'gold' } }
        },
      },
      [`resourceslices.${group}`]: {
        valid: (): ResourceSlice => ({
          spec: {
            driver: 'a.example',
            pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 },
            nodeName: 'node-1',
            devices: [
              { name: 'gpu-0', attributes: { model: { string: 'x' } }, capacity: { memory: { value: '8Gi' } } },
            ],
          },
        }),
        invalid: {
          'no nodes': (object: ResourceSlice) => {
            delete object.spec.nodeName
          },
          'an attribute with two values': (object: ResourceSlice) => {
            object.spec.devices = [{ name: 'gpu-0', attributes: { model: { string: 'x', int: 1 } } }]
          },
        },
        update: (object: ResourceSlice) => {
          object.spec.pool.generation = 2
        },
      },
      [`devicetaintrules.${group}`]: {
        valid: (): DeviceTaintRule => ({ spec: { taint: { key: 'broken', effect: 'NoSchedule' } } }),
        invalid: {
          'an effect that is not known': (object: DeviceTaintRule) => {
            object.spec.taint.effect = 'Explode'
          },
        },
        update: (object: DeviceTaintRule) => {
          object.spec.taint.effect = 'NoExecute'
        },
      },
      [`resourcepoolstatusrequests.${group}`]: {
        valid: (): ResourcePoolStatusRequest => ({ spec: { driver: 'a.example' } }),
        invalid: {
          'no driver': (object: ResourcePoolStatusRequest) => {
            object.spec.driver = ''
          },
        },
        update: (object: ResourcePoolStatusRequest) => {
          object.metadata = { ...object.metadata, labels: { tier: 'gold' } }
        },
      },
    },
  }
}

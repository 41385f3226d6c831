import { embedded, Kind, ObjectMeta, required, type Static, Struct, type TSchema } from 'orch/sdk'
import { claimSpecIn, flatClaimSpecIn } from '../schemas/claim-spec-schema.js'
import { type DeviceVersion, named } from '../schemas/device-version.js'

function templateOf<S extends TSchema>(version: DeviceVersion, spec: S) {
  const ResourceClaimTemplateSpec = Struct(
    named(version, 'ResourceClaimTemplateSpec'),
    {
      metadata: embedded(1, ObjectMeta, 'Labels and annotations of the claims.'),
      spec: required(2, spec, 'The spec of the claims.'),
    },
    { description: 'Claims that are created from a template.' },
  )
  return Kind(
    named(version, 'ResourceClaimTemplate'),
    { spec: required(2, ResourceClaimTemplateSpec, 'Metadata and spec of the claims. It cannot be changed.') },
    { description: 'A template from which claims for Pods are created.' },
  )
}
export const templateIn = (version: 'v1' | 'v1beta2') => templateOf(version, claimSpecIn(version))
export const flatTemplateIn = (version: 'v1beta1' | 'v1alpha3') => templateOf(version, flatClaimSpecIn(version))
export const ResourceClaimTemplate = templateIn('v1')
export type ResourceClaimTemplate = Static<typeof ResourceClaimTemplate>

import { field, ListOf, MapOf, Quantity, required, type Static, Struct, Text } from '../resource/schema.js'

const limits = field(1, MapOf(Quantity()), 'Maximum usage, by resource.')
const requests = field(2, MapOf(Quantity()), 'Reserved amount, by resource. The limits by default.')

/** A claim of the Pod that a container uses. */
export const ResourceClaim = Struct(
  'core.v1.ResourceClaim',
  {
    name: required(1, Text(), 'Name of an entry of resourceClaims of the Pod.'),
    request: field(2, Text(), {
      description: 'The request of the claim whose devices it gets. All of them by default.',
      since: '1.31',
    }),
  },
  { description: 'A claim of the Pod whose devices a container gets.' },
)
export type ResourceClaim = Static<typeof ResourceClaim>

const claims = (until?: '1.28') =>
  field(3, ListOf(ResourceClaim, { listType: 'map', listMapKeys: ['name'] }), {
    description: 'Claims of the Pod whose devices it gets.',
    since: '1.26',
    gate: 'DynamicResourceAllocation',
    ...(until ? { until } : {}),
  })

/** Requests and limits, by resource. */
export const ResourceRequirements = Struct(
  'core.v1.ResourceRequirements',
  { limits, requests, claims: claims() },
  { description: 'Resource requests and limits.' },
)
export type ResourceRequirements = Static<typeof ResourceRequirements>

/** Resource requests of a volume. A separate type, because containers have device claims and volumes do not. */
export const VolumeResourceRequirements = Struct(
  'core.v1.ResourceRequirements',
  { limits, requests, claims: claims('1.28') },
  { description: 'What a volume needs.' },
)
export type VolumeResourceRequirements = Static<typeof VolumeResourceRequirements>

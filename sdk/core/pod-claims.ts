import { field, kept, ListOf, MapOf, Quantity, required, type Static, Struct, Text } from '../resource/schema.js'

/** The claim, in the form of the first versions. */
export const ClaimSource = Struct(
  'core.v1.ClaimSource',
  {
    resourceClaimName: kept(1, Text(), 'Name of a claim of the namespace.'),
    resourceClaimTemplateName: kept(2, Text(), 'Name of a template, from which the Pod gets a claim of its own.'),
  },
  { description: 'Which claim it is. Exactly one is given.' },
)
export type ClaimSource = Static<typeof ClaimSource>

/** A claim of devices that containers of a Pod may use. */
export const PodResourceClaim = Struct(
  'core.v1.PodResourceClaim',
  {
    name: required(1, Text(), 'Name in the Pod, by which containers refer to it.'),
    source: field(2, ClaimSource, {
      description: 'Which claim it is.',
      presence: 'always',
      until: '1.30',
    }),
    resourceClaimName: kept(3, Text(), {
      description: 'Name of a claim of the namespace. Excludes resourceClaimTemplateName.',
      since: '1.31',
    }),
    resourceClaimTemplateName: kept(4, Text(), {
      description: 'Name of a template, from which the Pod gets a claim of its own. Excludes resourceClaimName.',
      since: '1.31',
    }),
  },
  { description: 'A claim of devices that containers of a Pod may use.' },
)
export type PodResourceClaim = Static<typeof PodResourceClaim>

/** The claim that was made for a Pod from a template. */
export const PodResourceClaimStatus = Struct(
  'core.v1.PodResourceClaimStatus',
  {
    name: required(1, Text(), 'Name of the claim in the Pod.'),
    resourceClaimName: kept(2, Text(), 'Name of the claim that was created. Not set if none was needed.'),
  },
  { description: 'The claim that was created for a Pod from a template.' },
)
export type PodResourceClaimStatus = Static<typeof PodResourceClaimStatus>

/** A resource of a container that is served by a device. */
export const ContainerExtendedResourceRequest = Struct(
  'core.v1.ContainerExtendedResourceRequest',
  {
    containerName: required(1, Text(), 'Name of the container.'),
    resourceName: required(2, Text(), 'Name of the resource that it requests.'),
    requestName: required(3, Text(), 'Name of the request in the claim.'),
  },
  { description: 'Which request of a claim serves a resource of a container.' },
)
export type ContainerExtendedResourceRequest = Static<typeof ContainerExtendedResourceRequest>

/** The claim that serves the extended resources of a Pod. */
export const PodExtendedResourceClaimStatus = Struct(
  'core.v1.PodExtendedResourceClaimStatus',
  {
    requestMappings: required(
      1,
      ListOf(ContainerExtendedResourceRequest, { listType: 'atomic' }),
      'Which request of the claim serves which resource.',
    ),
    resourceClaimName: required(2, Text(), 'Name of the claim.'),
  },
  { description: 'The claim whose devices provide extended resources of a Pod.' },
)
export type PodExtendedResourceClaimStatus = Static<typeof PodExtendedResourceClaimStatus>

/** Resources of the node that a Pod gets through a claim. */
export const NodeAllocatableResourceClaimStatus = Struct(
  'core.v1.NodeAllocatableResourceClaimStatus',
  {
    resourceClaimName: required(1, Text(), 'Name of the claim.'),
    containers: field(2, ListOf(Text(), { listType: 'set' }), 'Names of the containers that use it.'),
    resources: required(3, MapOf(Quantity()), 'Amount of each node resource that it uses.'),
  },
  { description: 'Node resources that a Pod uses through a claim.' },
)
export type NodeAllocatableResourceClaimStatus = Static<typeof NodeAllocatableResourceClaimStatus>

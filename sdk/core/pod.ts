import { Kind } from '../resource/meta.js'
import {
  embedded,
  field,
  Int64,
  kept,
  ListOf,
  MapOf,
  Quantity,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from '../resource/schema.js'
import { ContainerStatus } from './container-status.js'
import {
  NodeAllocatableResourceClaimStatus,
  PodExtendedResourceClaimStatus,
  PodResourceClaimStatus,
} from './pod-claims.js'
import { PodSpec } from './pod-spec.js'
import { ResourceRequirements } from './resource-requirements.js'

/** One observed condition of a Pod. */
export const PodCondition = Struct(
  'core.v1.PodCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastProbeTime: embedded(3, Time(), 'When it was last checked.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
    observedGeneration: field(7, Int64(), {
      description: 'The generation of the Pod that the condition refers to.',
      since: '1.33',
      gate: 'PodObservedGenerationTracking',
    }),
  },
  { description: 'Something observed about a Pod.' },
)
export type PodCondition = Static<typeof PodCondition>

/** An address of a Pod. */
export const PodIP = Struct(
  'core.v1.PodIP',
  {
    ip: field(1, Text(), {
      description: 'The address.',
      revised: [{ since: '1.30', to: { isRequired: true, presence: 'always' } }],
    }),
  },
  { description: 'An address of a Pod.' },
)
export type PodIP = Static<typeof PodIP>

/** An address of a node. */
export const HostIP = Struct(
  'core.v1.HostIP',
  {
    ip: required(1, Text(), 'The address.'),
  },
  { description: 'An address of the node of a Pod.' },
)
export type HostIP = Static<typeof HostIP>

/** Observed state of a Pod. */
export const PodStatus = Struct(
  'core.v1.PodStatus',
  {
    phase: field(1, Text(), 'Pending, Running, Succeeded, Failed or Unknown.'),
    conditions: field(
      2,
      ListOf(PodCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
    message: field(3, Text(), 'Human-readable message.'),
    reason: field(4, Text(), 'Machine-readable reason in one word, such as Evicted.'),
    nominatedNodeName: field(11, Text(), 'Node on which other Pods are preempted for it.'),
    hostIP: field(5, Text(), 'Address of its node.'),
    hostIPs: field(16, ListOf(HostIP, { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: 'ip' }), {
      description: 'Addresses of its node. The first is hostIP.',
      since: '1.28',
      gate: 'PodHostIPs',
    }),
    podIP: field(6, Text(), 'Its address.'),
    podIPs: field(
      12,
      ListOf(PodIP, { patchStrategy: 'merge', patchMergeKey: 'ip' }),
      'Its addresses, at most one per IP family. The first is podIP.',
    ),
    startTime: kept(7, Time(), 'When its node agent first saw it.'),
    initContainerStatuses: field(10, ListOf(ContainerStatus), 'Status of its init containers.'),
    containerStatuses: field(8, ListOf(ContainerStatus), 'Status of its containers.'),
    qosClass: field(9, Text(), 'Guaranteed, Burstable or BestEffort, by what it requests.'),
    ephemeralContainerStatuses: field(13, ListOf(ContainerStatus), 'Status of its ephemeral containers.'),
    resize: field(14, Text(), {
      description: 'Progress of a resize of its resources. Replaced by conditions.',
      since: '1.27',
      gate: 'InPlacePodVerticalScaling',
    }),
    resourceClaimStatuses: field(
      15,
      ListOf(PodResourceClaimStatus, {
        listType: 'map',
        listMapKeys: ['name'],
        patchStrategy: 'merge,retainKeys',
        patchMergeKey: 'name',
      }),
      { description: 'Claims that were created for it.', since: '1.28', gate: 'DynamicResourceAllocation' },
    ),
    observedGeneration: field(17, Int64(), {
      description: 'The generation that the status refers to.',
      since: '1.33',
      gate: 'PodObservedGenerationTracking',
    }),
    extendedResourceClaimStatus: kept(18, PodExtendedResourceClaimStatus, {
      description: 'The claim whose devices provide its extended resources.',
      since: '1.34',
      gate: 'DRAExtendedResource',
    }),
    allocatedResources: field(19, MapOf(Quantity()), {
      description: 'Resources that the node has allocated to all its containers together.',
      since: '1.35',
      gate: 'InPlacePodLevelResourcesVerticalScaling',
    }),
    resources: kept(20, ResourceRequirements, {
      description: 'Requests and limits that all its containers together run with.',
      since: '1.35',
      gate: 'InPlacePodLevelResourcesVerticalScaling',
    }),
    nodeAllocatableResourceClaimStatuses: field(
      21,
      ListOf(NodeAllocatableResourceClaimStatus, { listType: 'atomic' }),
      {
        description: 'Node resources that it uses through claims.',
        since: '1.36',
        gate: 'DRANodeAllocatableResources',
      },
    ),
  },
  { description: 'Status of a Pod.' },
)
export type PodStatus = Static<typeof PodStatus>

/** Containers that run together on one node. */
export const Pod = Kind(
  'core.v1.Pod',
  {
    spec: embedded(2, PodSpec, 'Desired state.'),
    status: embedded(3, PodStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Containers that run together on one node.' },
)
/** Decoding always fills in the spec, so code that works on Pods need not check for it. */
export type Pod = Static<typeof Pod> & { spec: PodSpec }

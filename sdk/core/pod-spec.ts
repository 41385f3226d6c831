import { ObjectMeta } from '../resource/meta.js'
import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  KeyedList,
  kept,
  ListOf,
  MapOf,
  Quantity,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
} from '../resource/schema.js'
import { Affinity, TopologySpreadConstraint } from './affinity.js'
import { Container, EphemeralContainer } from './container.js'
import { PodResourceClaim } from './pod-claims.js'
import { LocalObjectReference } from './references.js'
import { ResourceRequirements } from './resource-requirements.js'
import { PodSecurityContext } from './security-context.js'
import { Toleration } from './taints.js'
import { Volume } from './volume.js'

/** An entry for the hosts file of a Pod. */
export const HostAlias = Struct(
  'core.v1.HostAlias',
  {
    ip: field(1, Text(), {
      description: 'The address.',
      revised: [{ since: '1.30', to: { isRequired: true, presence: 'always' } }],
    }),
    hostnames: field(2, ListOf(Text()), 'Its names.'),
  },
  { description: 'Host names of an address, for the hosts file of a Pod.' },
)
export type HostAlias = Static<typeof HostAlias>

/** An option of the DNS resolver. */
export const PodDNSConfigOption = Struct(
  'core.v1.PodDNSConfigOption',
  {
    name: field(1, Text(), 'Name of the option.'),
    value: kept(2, Text(), 'Value of the option.'),
  },
  { description: 'An option of name resolution.' },
)
export type PodDNSConfigOption = Static<typeof PodDNSConfigOption>

/** DNS settings in addition to those of the DNS policy. */
export const PodDNSConfig = Struct(
  'core.v1.PodDNSConfig',
  {
    nameservers: field(1, ListOf(Text()), 'Addresses of name servers, at most 3.'),
    searches: field(2, ListOf(Text()), 'Domains that names are looked up in.'),
    options: field(3, ListOf(PodDNSConfigOption), 'Options of the resolver.'),
  },
  { description: 'Settings of name resolution, added to those of the DNS policy.' },
)
export type PodDNSConfig = Static<typeof PodDNSConfig>

/** A condition that must be true for the Pod to be ready. */
export const PodReadinessGate = Struct(
  'core.v1.PodReadinessGate',
  {
    conditionType: required(1, Text(), 'Type of a condition in the status of the Pod.'),
  },
  { description: 'A condition that must be true before a Pod is ready.' },
)
export type PodReadinessGate = Static<typeof PodReadinessGate>

/** The operating system of the containers. */
export const PodOS = Struct(
  'core.v1.PodOS',
  {
    name: required(1, Text(), 'linux or windows.'),
  },
  { description: 'The operating system that a Pod is for.' },
)
export type PodOS = Static<typeof PodOS>

/** Keeps a Pod from being scheduled. */
export const PodSchedulingGate = Struct(
  'core.v1.PodSchedulingGate',
  {
    name: required(1, Text(), 'Name of the gate, unique in the Pod.'),
  },
  { description: 'Keeps a Pod from being scheduled until it is removed.' },
)
export type PodSchedulingGate = Static<typeof PodSchedulingGate>

/** The group that a Pod is scheduled with. */
export const PodSchedulingGroup = Struct(
  'core.v1.PodSchedulingGroup',
  {
    podGroupName: kept(1, Text(), 'Name of a PodGroup of the namespace.'),
  },
  { description: 'The group that a Pod is scheduled with.' },
)
export type PodSchedulingGroup = Static<typeof PodSchedulingGroup>

/** The Workload that a Pod belongs to. */
export const WorkloadReference = Struct(
  'core.v1.WorkloadReference',
  {
    name: required(1, Text(), 'Name of a Workload of the namespace.'),
    podGroup: required(2, Text(), 'Name of a group of it.'),
    podGroupReplicaKey: field(3, Text(), 'Key that identifies the replica of the group.'),
  },
  { description: 'The Workload that a Pod belongs to.' },
)
export type WorkloadReference = Static<typeof WorkloadReference>

const restartPolicies: readonly string[] = ['Always', 'Never', 'OnFailure']
const dnsPolicies: readonly string[] = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']
const preemptionPolicies: readonly string[] = ['Never', 'PreemptLowerPriority']
/** Deadlines are 32-bit numbers of seconds. */
export const maxDeadlineSeconds = 0x7fffffff

/** What to run, and how. */
export const PodSpec = Struct(
  'core.v1.PodSpec',
  {
    volumes: field(
      1,
      ListOf(Volume, { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' }),
      'Volumes that its containers may mount.',
    ),
    initContainers: field(
      20,
      ListOf(Container, { patchStrategy: 'merge', patchMergeKey: 'name' }),
      'Containers that run one after the other before the others start.',
    ),
    containers: required(
      2,
      ListOf(Container, { patchStrategy: 'merge', patchMergeKey: 'name' }),
      'Containers of the Pod; at least one.',
    ),
    ephemeralContainers: field(
      34,
      ListOf(EphemeralContainer, { patchStrategy: 'merge', patchMergeKey: 'name' }),
      'Containers added to the running Pod for debugging. Set through their own subresource.',
    ),
    restartPolicy: field(3, Text({ enum: restartPolicies }), {
      description: 'When containers are restarted: Always (the default), OnFailure or Never.',
      default: 'Always',
    }),
    terminationGracePeriodSeconds: kept(4, Int64(), {
      description: 'Grace period for termination in seconds. 30 by default.',
      default: 30,
    }),
    activeDeadlineSeconds: kept(
      5,
      Int64({ minimum: 1, maximum: maxDeadlineSeconds }),
      'How long the Pod may be active before it is terminated, in seconds.',
    ),
    dnsPolicy: field(6, Text({ enum: dnsPolicies }), {
      description: 'How names are resolved: ClusterFirst (the default), ClusterFirstWithHostNet, Default or None.',
      default: 'ClusterFirst',
    }),
    nodeSelector: field(7, StringMap({ mapType: 'atomic' }), 'Labels that its node must have.'),
    serviceAccountName: field(8, Text(), 'Service account that it runs as.'),
    serviceAccount: field(9, Text(), 'Former name of serviceAccountName.'),
    automountServiceAccountToken: kept(
      21,
      Bool(),
      'Whether a token of the account is mounted. The account decides if it is not set.',
    ),
    nodeName: field(10, Text(), 'The node. Setting it bypasses the scheduler.'),
    hostNetwork: field(11, Bool(), 'Whether it uses the network of the host. False by default.'),
    hostPID: field(12, Bool(), 'Whether it sees the processes of the host. False by default.'),
    hostIPC: field(13, Bool(), 'Whether it uses the IPC of the host. False by default.'),
    shareProcessNamespace: kept(27, Bool(), "Whether its containers see each other's processes. False by default."),
    securityContext: kept(14, PodSecurityContext, {
      description: 'Security settings of all its containers.',
      default: {},
    }),
    imagePullSecrets: field(
      15,
      ListOf(LocalObjectReference, { patchStrategy: 'merge', patchMergeKey: 'name' }),
      'Secrets with credentials for the registries of its images.',
    ),
    hostname: field(16, Text(), 'Name of its host. The name of the Pod by default.'),
    subdomain: field(17, Text(), "Subdomain of its host's full name."),
    affinity: kept(18, Affinity, 'Scheduling affinity.'),
    schedulerName: field(19, Text(), {
      description: 'Scheduler that finds its node. default-scheduler by default.',
      default: 'default-scheduler',
    }),
    tolerations: field(22, ListOf(Toleration), 'Taints of nodes that it tolerates.'),
    hostAliases: field(
      23,
      ListOf(HostAlias, { patchStrategy: 'merge', patchMergeKey: 'ip' }),
      'Names that are added to its hosts file.',
    ),
    priorityClassName: field(24, Text(), 'Name of its priority class.'),
    priority: kept(25, Int32(), 'Its priority, filled in from its class.'),
    dnsConfig: kept(26, PodDNSConfig, 'Settings of name resolution.'),
    readinessGates: field(28, ListOf(PodReadinessGate), 'Additional conditions that must be true before it is ready.'),
    runtimeClassName: kept(29, Text(), 'Runtime class that it runs with.'),
    enableServiceLinks: kept(30, Bool(), 'Whether Services of the namespace become variables. True by default.'),
    preemptionPolicy: kept(
      31,
      Text({ minLength: 1, enum: preemptionPolicies }),
      'Whether it may preempt others: PreemptLowerPriority (the default) or Never.',
    ),
    overhead: field(
      32,
      MapOf(Quantity()),
      'Overhead of running it in addition to its containers, filled in from its runtime class.',
    ),
    topologySpreadConstraints: field(
      33,
      ListOf(TopologySpreadConstraint, {
        listType: 'map',
        listMapKeys: ['topologyKey', 'whenUnsatisfiable'],
        patchStrategy: 'merge',
        patchMergeKey: 'topologyKey',
      }),
      'How Pods like it are spread over the cluster.',
    ),
    setHostnameAsFQDN: kept(35, Bool(), 'Whether its host name is the full one. False by default.'),
    os: kept(36, PodOS, 'The operating system that it is for.'),
    hostUsers: kept(37, Bool(), {
      description: 'Whether it uses the user namespace of the host. False gives it its own. True by default.',
      since: '1.25',
      gate: 'UserNamespacesSupport',
    }),
    schedulingGates: field(38, KeyedList(PodSchedulingGate, 'name'), {
      description: 'The Pod is not scheduled while there are any. They can be set on creation only, and removed later.',
      since: '1.26',
      gate: 'PodSchedulingReadiness',
    }),
    resourceClaims: field(
      39,
      ListOf(PodResourceClaim, {
        listType: 'map',
        listMapKeys: ['name'],
        patchStrategy: 'merge,retainKeys',
        patchMergeKey: 'name',
      }),
      {
        description: 'Claims of devices that its containers may use. It starts when all are allocated.',
        since: '1.26',
        gate: 'DynamicResourceAllocation',
      },
    ),
    resources: kept(40, ResourceRequirements, {
      description: 'Resource requests and limits of all its containers together.',
      since: '1.32',
      gate: 'PodLevelResources',
    }),
    hostnameOverride: kept(41, Text(), {
      description: 'Host name that its programs see. It has no effect on DNS.',
      since: '1.34',
      gate: 'HostnameOverride',
    }),
    workloadRef: kept(42, WorkloadReference, {
      description: 'The Workload that it belongs to.',
      since: '1.35',
      until: '1.35',
      gate: 'GenericWorkload',
    }),
    schedulingGroup: kept(43, PodSchedulingGroup, {
      description: 'The group that it is scheduled with.',
      since: '1.36',
      gate: 'GenericWorkload',
    }),
  },
  { description: 'What a Pod runs, and how.' },
)
export type PodSpec = Static<typeof PodSpec>

/** A template for Pods. */
export const PodTemplateSpec = Struct(
  'core.v1.PodTemplateSpec',
  {
    metadata: embedded(1, ObjectMeta, 'Labels and annotations of the Pods.'),
    spec: embedded(2, PodSpec, 'What the Pods run.'),
  },
  { description: 'A template for Pods.' },
)
export type PodTemplateSpec = Static<typeof PodTemplateSpec>

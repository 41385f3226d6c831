import { ObjectMeta } from '../meta.js'
import {
  embedded,
  Flag,
  field,
  Int32,
  Int64,
  kept,
  ListOf,
  MapOf,
  needed,
  Quantity,
  type Static,
  StringMap,
  Struct,
  Text,
} from '../schema.js'
import { Affinity, TopologySpreadConstraint } from './affinity.js'
import { Container, EphemeralContainer } from './container.js'
import { LocalObjectReference } from './references.js'
import { PodSecurityContext } from './security-context.js'
import { Toleration } from './taints.js'
import { Volume } from './volume.js'

/** An entry for the hosts file of a Pod. */
export const HostAlias = Struct('core.v1.HostAlias', {
  ip: field(1, Text()),
  hostnames: field(2, ListOf(Text())),
})
export type HostAlias = Static<typeof HostAlias>

/** An option of the DNS resolver. */
export const PodDNSConfigOption = Struct('core.v1.PodDNSConfigOption', {
  name: field(1, Text()),
  value: kept(2, Text()),
})
export type PodDNSConfigOption = Static<typeof PodDNSConfigOption>

/** DNS settings beside those of the DNS policy. */
export const PodDNSConfig = Struct('core.v1.PodDNSConfig', {
  nameservers: field(1, ListOf(Text())),
  searches: field(2, ListOf(Text())),
  options: field(3, ListOf(PodDNSConfigOption)),
})
export type PodDNSConfig = Static<typeof PodDNSConfig>

/** A condition that must be true for the Pod to be ready. */
export const PodReadinessGate = Struct('core.v1.PodReadinessGate', {
  conditionType: needed(1, Text()),
})
export type PodReadinessGate = Static<typeof PodReadinessGate>

/** The operating system of the containers. */
export const PodOS = Struct('core.v1.PodOS', {
  name: needed(1, Text()),
})
export type PodOS = Static<typeof PodOS>

/** What to run, and how. */
export const PodSpec = Struct('core.v1.PodSpec', {
  volumes: field(1, ListOf(Volume, { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' })),
  initContainers: field(20, ListOf(Container, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  containers: needed(2, ListOf(Container, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  ephemeralContainers: field(34, ListOf(EphemeralContainer, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  restartPolicy: field(3, Text(), { default: 'Always' }),
  terminationGracePeriodSeconds: kept(4, Int64(), { default: 30 }),
  activeDeadlineSeconds: kept(5, Int64()),
  dnsPolicy: field(6, Text(), { default: 'ClusterFirst' }),
  nodeSelector: field(7, StringMap({ mapType: 'atomic' })),
  serviceAccountName: field(8, Text()),
  serviceAccount: field(9, Text()),
  automountServiceAccountToken: kept(21, Flag()),
  nodeName: field(10, Text()),
  hostNetwork: field(11, Flag()),
  hostPID: field(12, Flag()),
  hostIPC: field(13, Flag()),
  shareProcessNamespace: kept(27, Flag()),
  securityContext: kept(14, PodSecurityContext, { default: {} }),
  imagePullSecrets: field(15, ListOf(LocalObjectReference, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  hostname: field(16, Text()),
  subdomain: field(17, Text()),
  affinity: kept(18, Affinity),
  schedulerName: field(19, Text(), { default: 'default-scheduler' }),
  tolerations: field(22, ListOf(Toleration)),
  hostAliases: field(23, ListOf(HostAlias, { patchStrategy: 'merge', patchMergeKey: 'ip' })),
  priorityClassName: field(24, Text()),
  priority: kept(25, Int32()),
  dnsConfig: kept(26, PodDNSConfig),
  readinessGates: field(28, ListOf(PodReadinessGate)),
  runtimeClassName: kept(29, Text()),
  enableServiceLinks: kept(30, Flag()),
  preemptionPolicy: kept(31, Text()),
  overhead: field(32, MapOf(Quantity())),
  topologySpreadConstraints: field(
    33,
    ListOf(TopologySpreadConstraint, {
      listType: 'map',
      listMapKeys: ['topologyKey', 'whenUnsatisfiable'],
      patchStrategy: 'merge',
      patchMergeKey: 'topologyKey',
    }),
  ),
  setHostnameAsFQDN: kept(35, Flag()),
  os: kept(36, PodOS),
})
export type PodSpec = Static<typeof PodSpec>

/** The Pods to make. */
export const PodTemplateSpec = Struct('core.v1.PodTemplateSpec', {
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, PodSpec),
})
export type PodTemplateSpec = Static<typeof PodTemplateSpec>

import {
  embedded,
  field,
  Int32,
  Int64,
  IntOrString,
  jsonOnly,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { PersistentVolumeClaim, PersistentVolumeClaimSpec, PodTemplateSpec } from 'orch/sdk/core'
import { conditionStruct } from '../conditions.js'

export const StatefulSetUpdateStrategy = Struct(
  'apps.v1.StatefulSetUpdateStrategy',
  {
    type: field(1, Text(), 'OnDelete or RollingUpdate, which is the default.'),
    rollingUpdate: kept(
      2,
      Struct(
        'apps.v1.RollingUpdateStatefulSetStrategy',
        {
          partition: kept(1, Int32(), 'Pods below this ordinal keep the old template. 0 by default.'),
          maxUnavailable: kept(2, IntOrString(), {
            description:
              'How many Pods may be missing during an update, as a number or a percentage, rounded up. 1 by default.',
            since: '1.24',
            gate: 'MaxUnavailableStatefulSet',
          }),
        },
        { description: 'Which Pods are updated.' },
      ),
      'Which Pods, for RollingUpdate only.',
    ),
  },
  { description: 'How Pods are updated to a new template.' },
)

const StatefulSetOrdinals = Struct(
  'apps.v1.StatefulSetOrdinals',
  {
    start: field(1, Int32(), {
      description: 'Number of the first Pod. 0 by default.',
      presence: 'always',
      isRequired: false,
    }),
  },
  { description: 'How Pods are numbered.' },
)

const ClaimRetentionPolicy = Struct(
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: field(1, Text(), {
      description: 'What happens to claims when the set is deleted: Retain (the default) or Delete.',
      default: 'Retain',
    }),
    whenScaled: field(2, Text(), {
      description: 'What happens to claims of Pods when the set is scaled down: Retain (the default) or Delete.',
      default: 'Retain',
    }),
  },
  { description: 'What happens to claims that are no longer needed.' },
)

/** A claim template has apiVersion and kind in JSON, but not in Protobuf. */
const ClaimTemplate = Struct(
  'core.v1.PersistentVolumeClaim',
  {
    apiVersion: jsonOnly(Text(), 'Version of the type of the claim.'),
    kind: jsonOnly(Text(), 'Type of the claim.'),
    ...PersistentVolumeClaim.properties,
    spec: embedded(2, PersistentVolumeClaimSpec, { description: 'Desired state.', keepsGatedFields: true }),
  },
  { description: 'A template for a claim of each Pod.' },
)

export const StatefulSetSpec = Struct(
  'apps.v1.StatefulSetSpec',
  {
    replicas: kept(1, Int32(), { description: 'The desired number of Pods. 1 by default.', default: 1 }),
    selector: required(2, LabelSelector, {
      description: 'Labels of the Pods. The template must have them. They cannot be changed.',
      nullable: true,
    }),
    template: required(3, PodTemplateSpec, 'The template for the Pods.'),
    volumeClaimTemplates: field(
      4,
      ListOf(ClaimTemplate),
      'Templates for claims of each Pod, which keeps them when it is recreated.',
    ),
    serviceName: required(5, Text(), {
      description: 'Name of the Service that governs the DNS names of the Pods.',
      revised: [{ since: '1.33', to: { isRequired: false } }],
    }),
    podManagementPolicy: field(6, Text(), {
      description: 'OrderedReady (the default): one Pod after the other; Parallel: all at once.',
      default: 'OrderedReady',
    }),
    updateStrategy: embedded(7, StatefulSetUpdateStrategy, 'How Pods are updated to a new template.'),
    revisionHistoryLimit: kept(8, Int32(), {
      description: 'How many old revisions are kept for rollback. 10 by default.',
      default: 10,
    }),
    minReadySeconds: field(9, Int32(), 'How long a new Pod must be ready before it counts as available.'),
    persistentVolumeClaimRetentionPolicy: kept(10, ClaimRetentionPolicy, {
      description: 'What happens to claims that are no longer needed. They are retained by default.',
      revised: [{ since: '1.27', to: { default: {} } }],
    }),
    ordinals: kept(11, StatefulSetOrdinals, {
      description: 'How Pods are numbered. From 0 by default.',
      since: '1.26',
      gate: 'StatefulSetStartOrdinal',
    }),
  },
  { description: 'Desired state of a stateful set.' },
)
export type StatefulSetSpec = Static<typeof StatefulSetSpec>

export const StatefulSetCondition = conditionStruct('StatefulSet', 'a stateful set')

export const StatefulSetStatus = Struct(
  'apps.v1.StatefulSetStatus',
  {
    observedGeneration: field(1, Int64(), 'The generation that the status refers to.'),
    replicas: required(2, Int32(), 'How many Pods there are.'),
    readyReplicas: field(3, Int32(), 'How many of them are ready.'),
    currentReplicas: field(4, Int32(), 'How many of them are of the current revision.'),
    updatedReplicas: field(5, Int32(), 'How many of them are of the update revision.'),
    currentRevision: field(6, Text(), 'The revision before the update.'),
    updateRevision: field(7, Text(), 'The revision after the update.'),
    collisionCount: kept(9, Int32(), 'How often the name for a new revision was taken.'),
    conditions: field(
      10,
      ListOf(StatefulSetCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
    availableReplicas: embedded(11, Int32(), 'How many of them have been ready long enough.'),
  },
  { description: 'Observed state of a stateful set.' },
)
export type StatefulSetStatus = Static<typeof StatefulSetStatus>

export const StatefulSet = Kind(
  'apps.v1.StatefulSet',
  {
    spec: embedded(2, StatefulSetSpec, 'Desired state.'),
    status: embedded(3, StatefulSetStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Numbered Pods with stable names and storage.' },
)
export type StatefulSet = SentObjectOf<typeof StatefulSet>

/** Names the collection for clients and caches. */
export const statefulSetCollection = { group: 'apps', version: 'v1', resource: 'statefulsets' } as const

import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  IntOrString,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { PodTemplateSpec } from 'orch/sdk/core'

export const RollingUpdateDeployment = Struct(
  'apps.v1.RollingUpdateDeployment',
  {
    maxUnavailable: kept(
      1,
      IntOrString(),
      'How many Pods may be missing during an update, as a number or a percentage, rounded down. 25% by default.',
    ),
    maxSurge: kept(
      2,
      IntOrString(),
      'How many Pods may exist beyond the desired number, as a number or a percentage, rounded up. 25% by default.',
    ),
  },
  { description: 'How many Pods are replaced at a time.' },
)

export const DeploymentStrategy = Struct(
  'apps.v1.DeploymentStrategy',
  {
    type: field(1, Text({ default: 'RollingUpdate' }), 'Recreate or RollingUpdate, which is the default.'),
    rollingUpdate: kept(2, RollingUpdateDeployment, 'How many at a time, for RollingUpdate only.'),
  },
  { description: 'How old Pods are replaced by new ones.' },
)
export type DeploymentStrategy = Static<typeof DeploymentStrategy>

export const DeploymentSpec = Struct(
  'apps.v1.DeploymentSpec',
  {
    replicas: kept(1, Int32(), { description: 'The desired number of Pods. 1 by default.', default: 1 }),
    selector: required(2, LabelSelector, {
      description: 'Labels of the Pods. The template must have them. They cannot be changed.',
      nullable: true,
    }),
    template: required(3, PodTemplateSpec, 'The template for the Pods.'),
    strategy: field(4, DeploymentStrategy, {
      description: 'How old Pods are replaced by new ones.',
      presence: 'always',
      patchStrategy: 'retainKeys',
    }),
    minReadySeconds: field(5, Int32(), 'How long a new Pod must be ready before it counts as available.'),
    revisionHistoryLimit: kept(6, Int32(), {
      description: 'How many old replica sets are kept for rollback. 10 by default.',
      default: 10,
    }),
    paused: field(7, Bool(), 'Changes of the template wait while this is true.'),
    progressDeadlineSeconds: kept(9, Int32(), {
      description: 'How long an update may go without progress before it is reported as failed. 600 by default.',
      default: 600,
    }),
  },
  { description: 'Desired state of a deployment.' },
)
export type DeploymentSpec = Static<typeof DeploymentSpec>

export const DeploymentCondition = Struct(
  'apps.v1.DeploymentCondition',
  {
    type: required(1, Text(), 'What was observed: Available, Progressing or ReplicaFailure.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastUpdateTime: embedded(6, Time(), 'When it was last observed.'),
    lastTransitionTime: embedded(7, Time(), 'When the status last changed.'),
    reason: field(4, Text(), 'Machine-readable reason in one word.'),
    message: field(5, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a deployment.' },
)
export type DeploymentCondition = Static<typeof DeploymentCondition>

export const DeploymentStatus = Struct(
  'apps.v1.DeploymentStatus',
  {
    observedGeneration: field(1, Int64(), 'The generation that the status refers to.'),
    replicas: field(2, Int32(), 'How many Pods there are.'),
    updatedReplicas: field(3, Int32(), 'How many of them are of the current template.'),
    readyReplicas: field(7, Int32(), 'How many of them are ready.'),
    availableReplicas: field(4, Int32(), 'How many of them have been ready long enough.'),
    unavailableReplicas: field(5, Int32(), 'How many are missing or not available yet.'),
    conditions: field(
      6,
      ListOf(DeploymentCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
    collisionCount: kept(8, Int32(), 'How often the name for a new replica set was taken.'),
    terminatingReplicas: kept(9, Int32(), {
      description: 'How many Pods are being deleted.',
      since: '1.33',
      gate: 'DeploymentReplicaSetTerminatingReplicas',
    }),
  },
  { description: 'Observed state of a deployment.' },
)
export type DeploymentStatus = Static<typeof DeploymentStatus>

export const Deployment = Kind(
  'apps.v1.Deployment',
  {
    spec: embedded(2, DeploymentSpec, 'Desired state.'),
    status: embedded(3, DeploymentStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Interchangeable Pods, and how they are updated to a new template.' },
)
export type Deployment = SentObjectOf<typeof Deployment>

/** Names the collection for clients and caches. */
export const deploymentCollection = { group: 'apps', version: 'v1', resource: 'deployments' } as const

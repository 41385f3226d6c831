import {
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
} from 'orch/sdk'
import { PodTemplateSpec } from 'orch/sdk/core'
import { conditionStruct } from '../conditions.js'

export const DaemonSetUpdateStrategy = Struct(
  'apps.v1.DaemonSetUpdateStrategy',
  {
    type: field(1, Text({ default: 'RollingUpdate' }), 'OnDelete or RollingUpdate, which is the default.'),
    rollingUpdate: kept(
      2,
      Struct(
        'apps.v1.RollingUpdateDaemonSet',
        {
          maxUnavailable: kept(
            1,
            IntOrString(),
            'On how many nodes the Pod may be missing during an update, as a number or a percentage. 1 by default.',
          ),
          maxSurge: kept(
            2,
            IntOrString(),
            'On how many nodes the new Pod may run beside the old one, as a number or a percentage. 0 by default.',
          ),
        },
        { description: 'How many Pods are replaced at a time.' },
      ),
      'How many at a time, for RollingUpdate only.',
    ),
  },
  { description: 'How Pods are updated to a new template.' },
)
export type DaemonSetUpdateStrategy = Static<typeof DaemonSetUpdateStrategy>

export const DaemonSetSpec = Struct(
  'apps.v1.DaemonSetSpec',
  {
    selector: required(1, LabelSelector, {
      description: 'Labels of the Pods. The template must have them. They cannot be changed.',
      nullable: true,
    }),
    template: required(2, PodTemplateSpec, 'The template for the Pods, one on every node that it fits.'),
    updateStrategy: embedded(3, DaemonSetUpdateStrategy, 'How Pods are updated to a new template.'),
    minReadySeconds: field(4, Int32(), 'How long a new Pod must be ready before it counts as available.'),
    revisionHistoryLimit: kept(6, Int32(), {
      description: 'How many old revisions are kept for rollback. 10 by default.',
      default: 10,
    }),
  },
  { description: 'Desired state of a daemon set.' },
)
export type DaemonSetSpec = Static<typeof DaemonSetSpec>

export const DaemonSetCondition = conditionStruct('DaemonSet', 'a daemon set')

export const DaemonSetStatus = Struct(
  'apps.v1.DaemonSetStatus',
  {
    currentNumberScheduled: required(1, Int32(), 'How many nodes should run a Pod and do.'),
    numberMisscheduled: required(2, Int32(), 'How many nodes run a Pod but should not.'),
    desiredNumberScheduled: required(3, Int32(), 'How many nodes should run a Pod.'),
    numberReady: required(4, Int32(), 'How many nodes that should run a Pod have one that is ready.'),
    observedGeneration: field(5, Int64(), 'The generation that the status refers to.'),
    updatedNumberScheduled: field(6, Int32(), 'How many nodes run a Pod of the current template.'),
    numberAvailable: field(7, Int32(), 'How many nodes have a Pod that has been ready long enough.'),
    numberUnavailable: field(8, Int32(), 'How many nodes should have an available Pod and do not.'),
    collisionCount: kept(9, Int32(), 'How often the name for a new revision was taken.'),
    conditions: field(
      10,
      ListOf(DaemonSetCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
  },
  { description: 'Observed state of a daemon set.' },
)
export type DaemonSetStatus = Static<typeof DaemonSetStatus>

export const DaemonSet = Kind(
  'apps.v1.DaemonSet',
  {
    spec: embedded(2, DaemonSetSpec, 'Desired state.'),
    status: embedded(3, DaemonSetStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A Pod on every matching node.' },
)
export type DaemonSet = SentObjectOf<typeof DaemonSet>

/** Names the collection for clients and caches. */
export const daemonSetCollection = { group: 'apps', version: 'v1', resource: 'daemonsets' } as const
/** Counts changes of the template; it predates metadata.generation. */
export const templateGeneration = 'deprecated.daemonset.template.generation'

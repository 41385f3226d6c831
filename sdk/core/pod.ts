import { Kind } from '../meta.js'
import { Bool, embedded, field, Int32, kept, ListOf, required, type Static, Struct, Text, Time } from '../schema.js'
import { PodSpec } from './pod-spec.js'

/** A container that runs. */
export const ContainerStateRunning = Struct(
  'core.v1.ContainerStateRunning',
  {
    startedAt: embedded(1, Time(), 'When it was last started.'),
  },
  { description: 'A container that runs.' },
)
export type ContainerStateRunning = Static<typeof ContainerStateRunning>

/** A container that ended. */
export const ContainerStateTerminated = Struct(
  'core.v1.ContainerStateTerminated',
  {
    exitCode: required(1, Int32(), 'What it ended with.'),
    signal: field(2, Int32(), 'Signal that ended it.'),
    reason: field(3, Text(), 'Machine-readable reason in one word.'),
    message: field(4, Text(), 'Human-readable message.'),
    startedAt: embedded(5, Time(), 'When it was started.'),
    finishedAt: embedded(6, Time(), 'When it ended.'),
    containerID: field(7, Text(), 'Id of the container, as type://id.'),
  },
  { description: 'A container that has ended.' },
)
export type ContainerStateTerminated = Static<typeof ContainerStateTerminated>

/** A container that has not started yet. */
export const ContainerStateWaiting = Struct(
  'core.v1.ContainerStateWaiting',
  {
    reason: field(1, Text(), 'Machine-readable reason in one word.'),
    message: field(2, Text(), 'Human-readable message.'),
  },
  { description: 'A container that has not started yet.' },
)
export type ContainerStateWaiting = Static<typeof ContainerStateWaiting>

/** What a container is doing: at most one is set. */
export const ContainerState = Struct(
  'core.v1.ContainerState',
  {
    waiting: kept(1, ContainerStateWaiting, 'It has not started yet.'),
    running: kept(2, ContainerStateRunning, 'It runs.'),
    terminated: kept(3, ContainerStateTerminated, 'It has ended.'),
  },
  { description: 'How a container is. At most one is given; waiting if none.' },
)
export type ContainerState = Static<typeof ContainerState>

/** What is known about one container of a Pod. */
export const ContainerStatus = Struct(
  'core.v1.ContainerStatus',
  {
    name: required(1, Text(), 'Name of the container.'),
    state: embedded(2, ContainerState, 'How it is now.'),
    lastState: embedded(3, ContainerState, 'How it ended the last time.'),
    ready: required(4, Bool(), 'Whether it passes its readiness probe.'),
    restartCount: required(5, Int32(), 'How often it was restarted.'),
    image: required(6, Text(), 'Image that it runs.'),
    imageID: required(7, Text(), 'Id of the image.'),
    containerID: field(8, Text(), 'Id of the container, as type://id.'),
    started: kept(9, Bool(), 'Whether it has passed its startup probe.'),
  },
  { description: 'How a container of a Pod is.' },
)
export type ContainerStatus = Static<typeof ContainerStatus>

/** One observed condition of a Pod. */
export const PodCondition = Struct(
  'core.v1.PodCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastProbeTime: embedded(3, Time(), 'When it was last looked at.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a Pod.' },
)
export type PodCondition = Static<typeof PodCondition>

/** An address of a Pod. */
export const PodIP = Struct(
  'core.v1.PodIP',
  {
    ip: field(1, Text(), 'The address.'),
  },
  { description: 'An address of a Pod.' },
)
export type PodIP = Static<typeof PodIP>

/** What is known about a Pod. */
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
    nominatedNodeName: field(11, Text(), 'Node from which others are pushed out for it.'),
    hostIP: field(5, Text(), 'Address of its node.'),
    podIP: field(6, Text(), 'Its address.'),
    podIPs: field(
      12,
      ListOf(PodIP, { patchStrategy: 'merge', patchMergeKey: 'ip' }),
      'Its addresses, at most one per IP family. The first is podIP.',
    ),
    startTime: kept(7, Time(), 'When its node agent saw it first.'),
    initContainerStatuses: field(10, ListOf(ContainerStatus), 'How its init containers are.'),
    containerStatuses: field(8, ListOf(ContainerStatus), 'How its containers are.'),
    qosClass: field(9, Text(), 'Guaranteed, Burstable or BestEffort, by what it requests.'),
    ephemeralContainerStatuses: field(13, ListOf(ContainerStatus), 'How the containers added to look into it are.'),
  },
  { description: 'How a Pod is.' },
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
/** Reading an object in always fills the spec, so code that works on Pods need not ask. */
export type Pod = Static<typeof Pod> & { spec: PodSpec }

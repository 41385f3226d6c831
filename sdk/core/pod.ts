import { Kind } from '../meta.js'
import { embedded, Flag, field, Int32, kept, ListOf, needed, type Static, Struct, Text, Time } from '../schema.js'
import { PodSpec } from './pod-spec.js'

/** A container that runs. */
export const ContainerStateRunning = Struct('core.v1.ContainerStateRunning', {
  startedAt: embedded(1, Time()),
})
export type ContainerStateRunning = Static<typeof ContainerStateRunning>

/** A container that ended. */
export const ContainerStateTerminated = Struct('core.v1.ContainerStateTerminated', {
  exitCode: needed(1, Int32()),
  signal: field(2, Int32()),
  reason: field(3, Text()),
  message: field(4, Text()),
  startedAt: embedded(5, Time()),
  finishedAt: embedded(6, Time()),
  containerID: field(7, Text()),
})
export type ContainerStateTerminated = Static<typeof ContainerStateTerminated>

/** A container that has not started yet. */
export const ContainerStateWaiting = Struct('core.v1.ContainerStateWaiting', {
  reason: field(1, Text()),
  message: field(2, Text()),
})
export type ContainerStateWaiting = Static<typeof ContainerStateWaiting>

/** What a container is doing: at most one is set. */
export const ContainerState = Struct('core.v1.ContainerState', {
  waiting: kept(1, ContainerStateWaiting),
  running: kept(2, ContainerStateRunning),
  terminated: kept(3, ContainerStateTerminated),
})
export type ContainerState = Static<typeof ContainerState>

/** What is known about one container of a Pod. */
export const ContainerStatus = Struct('core.v1.ContainerStatus', {
  name: needed(1, Text()),
  state: embedded(2, ContainerState),
  lastState: embedded(3, ContainerState),
  ready: needed(4, Flag()),
  restartCount: needed(5, Int32()),
  image: needed(6, Text()),
  imageID: needed(7, Text()),
  containerID: field(8, Text()),
  started: kept(9, Flag()),
})
export type ContainerStatus = Static<typeof ContainerStatus>

/** One observed condition of a Pod. */
export const PodCondition = Struct('core.v1.PodCondition', {
  type: needed(1, Text()),
  status: needed(2, Text()),
  lastProbeTime: embedded(3, Time()),
  lastTransitionTime: embedded(4, Time()),
  reason: field(5, Text()),
  message: field(6, Text()),
})
export type PodCondition = Static<typeof PodCondition>

/** An address of a Pod. */
export const PodIP = Struct('core.v1.PodIP', {
  ip: field(1, Text()),
})
export type PodIP = Static<typeof PodIP>

/** What is known about a Pod. */
export const PodStatus = Struct('core.v1.PodStatus', {
  phase: field(1, Text()),
  conditions: field(2, ListOf(PodCondition, { patchStrategy: 'merge', patchMergeKey: 'type' })),
  message: field(3, Text()),
  reason: field(4, Text()),
  nominatedNodeName: field(11, Text()),
  hostIP: field(5, Text()),
  podIP: field(6, Text()),
  podIPs: field(12, ListOf(PodIP, { patchStrategy: 'merge', patchMergeKey: 'ip' })),
  startTime: kept(7, Time()),
  initContainerStatuses: field(10, ListOf(ContainerStatus)),
  containerStatuses: field(8, ListOf(ContainerStatus)),
  qosClass: field(9, Text()),
  ephemeralContainerStatuses: field(13, ListOf(ContainerStatus)),
})
export type PodStatus = Static<typeof PodStatus>

/** Containers that run together on one node. */
export const Pod = Kind('core.v1.Pod', {
  spec: embedded(2, PodSpec),
  status: embedded(3, PodStatus),
})
/** Reading an object in always fills the spec, so code that works on Pods need not ask. */
export type Pod = Static<typeof Pod> & { spec: PodSpec }

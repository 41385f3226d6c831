/** For control loops: caches, work queues, leader election, events. */
export { type ControlLoopOptions, keyOf, type LoopCaches, type LoopSource, splitKey } from './control-loop.js'
export { type ControlLoopDefinition, defineControlLoop, loopNeeds } from './define-control-loop.js'
export {
  allow,
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
  type EventSubject,
  recordEvents,
} from './event-recorder.js'
export { type Informer, type InformerOptions, startInformer } from './informer.js'
export { KeyWorkers, type KeyWorkersOptions } from './key-workers.js'
export { type LeaderElectionOptions, type LeaderWork, withLeaderElection } from './leader-election.js'
export { duringTerm, type LeaderTerm, TermEndedError } from './leader-term.js'
export { leaseCollection } from './lease-collection.js'
export { ObjectCache } from './object-cache.js'
export { controllerReference, labelKeys, type OwnerKeysOptions, ownerKeys } from './owner-keys.js'
export { type Claim, candidatesOf, claimObjects, controllerOf } from './replicas/claim-objects.js'
export { podCollection, soonest, timestampOf, withoutConflicts } from './replicas/loop-parts.js'
export { isPodActive, isPodReady, msUntilAvailable } from './replicas/pod-state.js'
export { inGrowingBatches, PodWriter, podOfTemplate } from './replicas/pods-of-template.js'
export { type ReplicaLoopOptions, type ReplicaOwner, startReplicaLoop } from './replicas/replica-loop.js'
export { UnseenWrites } from './replicas/unseen-writes.js'
export { shareInformer } from './shared-informers.js'
export { startControlLoop } from './start-control-loop.js'

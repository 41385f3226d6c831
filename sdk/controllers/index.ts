/** For control loops: caches, work queues, leader election, events. */
export { withCondition } from './conditions.js'
export { keyOf, type LoopCaches, splitKey } from './control-loop.js'
export { defineControlLoop, loopNeeds } from './define-control-loop.js'
export {
  allow,
  createEventRecorder,
  type EventRecorder,
  type EventSubject,
  eventsNameTheirReporter,
  recordEvents,
} from './event-recorder.js'
export type { Informer, InformerOptions } from './informer.js'
export { KeyWorkers } from './key-workers.js'
export { type LeaderElectionOptions, withLeaderElection } from './leader-election.js'
export { duringTerm, type LeaderTerm } from './leader-term.js'
export { leaseCollection } from './lease-collection.js'
export { ObjectCache } from './object-cache.js'
export { controllerReference, ownerKeys } from './owner-keys.js'
export { candidatesOf, claimObjects, controllerOf } from './replicas/claim-objects.js'
export { podCollection, soonest, withoutConflicts } from './replicas/loop-parts.js'
export { isPodActive, isPodFinished, isPodReady, isPodTerminating, msUntilAvailable } from './replicas/pod-state.js'
export { inGrowingBatches, PodWriter, podOfTemplate } from './replicas/pods-of-template.js'
export { type ReplicaOwner, startReplicaLoop } from './replicas/replica-loop.js'
export { UnseenWrites } from './replicas/unseen-writes.js'
export { shareInformer } from './shared-informers.js'
export { startControlLoop } from './start-control-loop.js'

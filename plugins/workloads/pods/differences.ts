import { defineDifference } from 'orch/sdk'

export const podGenerations = defineDifference({
  name: 'pods-have-generations',
  since: '1.33',
  description: 'Pods have a generation, which counts changes to their spec.',
  knownFrom: 'recorded',
})

export const podNameWarnings = defineDifference({
  name: 'names-of-pods-cause-warnings',
  since: '1.27',
  description: 'A new Pod whose name is not a DNS label causes a warning.',
  knownFrom: 'source',
})

export const positiveGracePeriods = defineDifference({
  name: 'grace-periods-of-pods-are-positive',
  since: '1.27',
  description: 'A negative terminationGracePeriodSeconds of a Pod is stored as 1; templates keep it.',
  knownFrom: 'source',
})

export const statusKeepsGatedFields = defineDifference({
  name: 'gated-fields-of-pod-statuses-are-stored',
  until: '1.32',
  description: 'Writes to the status of a Pod may set fields whose gate is off.',
  knownFrom: 'source',
})

export const statusAddressWarnings = defineDifference({
  name: 'warnings-about-addresses-in-pod-statuses',
  since: '1.33',
  description: 'Non-canonical addresses in the status of a Pod cause a warning.',
  knownFrom: 'source',
})

export const seccompAnnotations = defineDifference({
  name: 'seccomp-annotations-become-fields',
  until: '1.26',
  description: 'A seccomp profile given as an annotation of a Pod is copied to the field.',
  knownFrom: 'source',
})

export const seccompFieldsBecomeAnnotations = defineDifference({
  name: 'seccomp-fields-become-annotations',
  until: '1.24',
  description: 'A seccomp profile given as a field of a Pod is copied to the old annotation.',
  knownFrom: 'source',
})

export const appArmorFields = defineDifference({
  name: 'app-armor-annotations-become-fields',
  since: '1.30',
  description: 'An AppArmor annotation of a new Pod is copied to the field that replaces it.',
  knownFrom: 'gate',
})

export const serviceClassOfUpdates = defineDifference({
  name: 'updates-keep-the-qos-class',
  since: '1.29',
  until: '1.31',
  description:
    'An update of a Pod that would change its QoS class has an error about that at metadata, besides the one at spec.',
  knownFrom: 'source',
})

export const fixedServiceClass = defineDifference({
  name: 'pod-qos-class-is-immutable',
  since: '1.32',
  description: 'status.qosClass of a Pod cannot be changed; an update of the status that omits it keeps it.',
  knownFrom: 'source',
})

export const initResize = defineDifference({
  name: 'init-containers-can-be-resized',
  since: '1.36',
  additive: true,
  description: 'Resources of init containers that are not sidecars can be resized.',
  knownFrom: 'gate',
})

export const strictAddresses = defineDifference({
  name: 'addresses-of-pods-are-canonical',
  since: '1.36',
  description:
    'New addresses in the status of a Pod, its own and those of its node, must not have leading zeros or be IPv4-mapped IPv6 addresses; before, both are accepted.',
  knownFrom: 'gate',
})

export const boundPodsHaveNoNomination = defineDifference({
  name: 'pods-on-nodes-are-not-nominated',
  since: '1.35',
  description: 'Binding a Pod to a node clears status.nominatedNodeName, which cannot be set on a bound Pod.',
  knownFrom: 'gate',
})

export const bindingLabels = defineDifference({
  name: 'bindings-label-pods',
  since: '1.35',
  additive: true,
  description: 'Labels of a Binding become labels of the Pod.',
  knownFrom: 'gate',
})

export const sidecarsInTables = defineDifference({
  name: 'tables-of-pods-count-sidecars',
  since: '1.28',
  additive: true,
  description:
    'Tables of Pods count the restarts of sidecars but not of other init containers, and consider the condition Initialized.',
  knownFrom: 'source',
})
export const endedPodsInTables = defineDifference({
  name: 'ended-pods-are-not-terminating',
  since: '1.31',
  additive: true,
  description: 'Tables show how a finished Pod ended while it is being deleted, not that it is terminating.',
  knownFrom: 'source',
})
export const claimNamePath = defineDifference({
  name: 'claim-names-in-pod-statuses-are-reported-at-their-field',
  since: '1.36',
  description:
    'The error about an invalid claim name in the status of a Pod is reported at resourceClaimName; before, at name.',
  knownFrom: 'source',
  additive: true,
})

export const appArmorAnnotations = defineDifference({
  name: 'app-armor-fields-become-annotations',
  since: '1.30',
  until: '1.33',
  description: 'The AppArmor profile of a container of a new Pod is also written to the old annotation.',
  knownFrom: 'source',
})

export const gatedSinceWhen = defineDifference({
  name: 'gated-pods-have-transition-times',
  since: '1.31',
  description: 'The condition PodScheduled of a new Pod with scheduling gates has a lastTransitionTime.',
  knownFrom: 'source',
  additive: true,
})

export const ephemeralContainersHaveOwners = defineDifference({
  name: 'ephemeral-containers-have-owners',
  since: '1.33',
  description:
    'The client that adds ephemeral containers owns their fields; before, managedFields of the Pod did not change.',
  knownFrom: 'source',
})

export const podsAreSelectedByNetwork = defineDifference({
  name: 'pods-are-selected-by-host-network',
  since: '1.28',
  description: 'Field selectors of Pods support spec.hostNetwork.',
  knownFrom: 'source',
  additive: true,
})

export const repeatedAddresses = defineDifference({
  name: 'repeated-addresses-of-pods-are-duplicates',
  until: '1.32',
  description: 'An address that occurs twice in status.podIPs is also reported as a duplicate.',
  knownFrom: 'source',
})

export const conditionPath = defineDifference({
  name: 'conditions-of-pods-are-reported-in-their-status',
  since: '1.33',
  additive: true,
  description: 'The error about an invalid condition type of a Pod is reported below status; before, below metadata.',
  knownFrom: 'source',
})

export const keptGenerations = defineDifference({
  name: 'statuses-of-pods-keep-observed-generations',
  since: '1.33',
  additive: true,
  description:
    'A write to the status of a Pod that omits observedGeneration, its own or that of a condition, keeps the stored one.',
  knownFrom: 'source',
})

export const restartsByContainer = defineDifference({
  name: 'restarts-follow-policies-of-containers',
  since: '1.35',
  additive: true,
  description:
    'Whether the status of a Pod may show a container running that had ended depends on the restart policy and rules of the container; before, only on the policy of the Pod and on whether it is a sidecar.',
  knownFrom: 'gate',
})

export const mirrorPodsAreFixed = defineDifference({
  name: 'mirror-pods-have-no-ephemeral-containers',
  since: '1.27',
  description: 'Ephemeral containers cannot be added to mirror Pods.',
  knownFrom: 'source',
})

export const podResourcesCanBeResized = defineDifference({
  name: 'pod-level-resources-can-be-resized',
  since: '1.36',
  additive: true,
  description: 'Pods with resources of their own, not only of their containers, can be resized.',
  knownFrom: 'gate',
})

export const memoryLimitsOnlyGrow = defineDifference({
  name: 'memory-limits-only-grow-in-a-resize',
  since: '1.33',
  until: '1.33',
  description: 'A resize may set or lower the memory limit of a container only if the container is restarted for it.',
  knownFrom: 'source',
})

export const podResourcesAreCheckedFirst = defineDifference({
  name: 'resizes-are-checked-for-pod-level-resources-first',
  until: '1.34',
  description: 'That a Pod with resources of its own cannot be resized is reported alone; later, after other errors.',
  knownFrom: 'source',
})

/** All differences of Pods, except those of the Pod spec. */
export const ownDifferences = [
  podGenerations,
  seccompAnnotations,
  seccompFieldsBecomeAnnotations,
  appArmorFields,
  statusKeepsGatedFields,
  statusAddressWarnings,
  podNameWarnings,
  positiveGracePeriods,
  serviceClassOfUpdates,
  fixedServiceClass,
  initResize,
  strictAddresses,
  boundPodsHaveNoNomination,
  bindingLabels,
  appArmorAnnotations,
  gatedSinceWhen,
  claimNamePath,
  sidecarsInTables,
  endedPodsInTables,
  ephemeralContainersHaveOwners,
  podsAreSelectedByNetwork,
  repeatedAddresses,
  conditionPath,
  keptGenerations,
  restartsByContainer,
  mirrorPodsAreFixed,
  podResourcesCanBeResized,
  podResourcesAreCheckedFirst,
  memoryLimitsOnlyGrow,
]

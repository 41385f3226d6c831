import { type Difference, defineDifference, type ServedLevel } from '../../plugin/level.js'
import type { LabelSelector } from '../../resource/meta.js'
import { hasImpossibleValue } from '../../validation/selectors.js'
import type { NodeSelector } from '../node-selector.js'
import { hasImpossibleNodeValue } from '../validation/node-selector-rules.js'
import { aliasErrorsNameTheirEntry, longDnsSearches } from './dns-differences.js'
import { volumeDifferences } from './volume-differences.js'

export const variablesAreNamedFreely = defineDifference({
  name: 'environment-variables-are-named-freely',
  since: '1.32',
  description: 'Names of environment variables may contain every printable ASCII character except `=`.',
  knownFrom: 'gate',
  additive: true,
})
/** Order and reasons of errors in containers. */
export const containersByRole = defineDifference({
  name: 'containers-are-validated-by-role',
  since: '1.25',
  description:
    'Fields that init containers may not have are Forbidden rather than Invalid, an unknown terminationMessagePolicy is NotSupported, and ephemeral containers cannot target each other.',
  knownFrom: 'source',
})

export const podSystems = defineDifference({
  name: 'pods-name-their-operating-system',
  since: '1.24',
  description: 'Pods may declare their operating system, and are validated for it.',
  knownFrom: 'gate',
})

export const probeGracePeriods = defineDifference({
  name: 'probes-have-grace-periods',
  since: '1.25',
  description: 'Liveness and startup probes may have their own grace period.',
  knownFrom: 'gate',
})

export const procMounts = defineDifference({
  name: 'unmasked-proc-mounts',
  since: '1.33',
  description: 'Containers of Pods with their own user namespace may have an unmasked /proc.',
  knownFrom: 'gate',
})

export const imageVolumes = defineDifference({
  name: 'image-volumes',
  since: '1.35',
  additive: true,
  description: 'Volumes may be images; before, they are dropped together with their mounts.',
  knownFrom: 'gate',
})

export const restartPoliciesAreDropped = defineDifference({
  name: 'restart-policies-of-containers-are-dropped',
  since: '1.34',
  until: '1.34',
  description: 'The restart policy of a container that is no sidecar is dropped; before, it is refused.',
  knownFrom: 'source',
})

export const containerRestartPolicies = defineDifference({
  name: 'containers-have-restart-policies',
  since: '1.35',
  additive: true,
  description: 'Every container may have a restart policy and restart rules; before, only sidecars have one.',
  knownFrom: 'gate',
})

export const restartAllContainers = defineDifference({
  name: 'restart-rules-restart-all-containers',
  since: '1.36',
  additive: true,
  description: 'A restart rule may restart all containers of the Pod.',
  knownFrom: 'gate',
})

export const sleepsOfZero = defineDifference({
  name: 'lifecycle-sleeps-of-zero-seconds',
  since: '1.33',
  additive: true,
  description: 'A lifecycle handler may sleep for zero seconds.',
  knownFrom: 'gate',
})

export const hostPortsOfPodsOnly = defineDifference({
  name: 'host-ports-are-defaulted-in-pods-only',
  since: '1.28',
  description: 'With hostNetwork, host ports are defaulted in Pods and no longer in Pod templates.',
  knownFrom: 'source',
})

export const spreadSelectors = defineDifference({
  name: 'topology-spread-selectors-are-validated',
  since: '1.27',
  description: 'Label selectors of topology spread constraints are validated.',
  knownFrom: 'source',
})

/** Also used where new Pods are stored. */
export const spreadSelectorMerge = defineDifference({
  name: 'topology-spread-label-keys-are-merged',
  since: '1.34',
  description: 'matchLabelKeys of topology spread constraints are merged into the stored label selector.',
  knownFrom: 'gate',
})

export const driverWarnings = defineDifference({
  name: 'warnings-about-glusterfs',
  since: '1.25',
  description: 'Glusterfs volumes cause a warning.',
  knownFrom: 'source',
})

export const graceWarning = defineDifference({
  name: 'warnings-about-negative-grace-periods',
  since: '1.27',
  additive: true,
  description: 'A negative terminationGracePeriodSeconds causes a warning.',
  knownFrom: 'source',
})

export const clearWarnings = defineDifference({
  name: 'warnings-about-ports-selectors-and-hidden-variables',
  since: '1.28',
  description:
    'Conflicting ports, missing selectors, environment variables that hide others, and Ceph volumes cause warnings.',
  knownFrom: 'source',
})

export const pathWarnings = defineDifference({
  name: 'warnings-about-overlapping-paths',
  since: '1.32',
  description: 'Overlapping paths in a volume cause a warning.',
  knownFrom: 'source',
})

export const portNameWarnings = defineDifference({
  name: 'warnings-about-port-names',
  since: '1.33',
  description: 'Port names that several containers use cause a warning.',
  knownFrom: 'source',
})

export const ownUsersHaveNoDevices = defineDifference({
  name: 'pods-with-own-users-have-no-block-devices',
  since: '1.34',
  additive: true,
  description: 'Containers of a Pod with its own user namespace cannot have block devices.',
  knownFrom: 'source',
})

export const valueAndAddressWarnings = defineDifference({
  name: 'warnings-about-preferred-values-and-addresses-of-pods',
  since: '1.33',
  description:
    'Values of preferred node affinity that no label can have, and non-canonical addresses in a Pod, cause warnings.',
  knownFrom: 'source',
})

export const moreLabelWarnings = defineDifference({
  name: 'warnings-about-roles-and-creators-of-nodes',
  since: '1.31',
  description: 'Three more deprecated node labels, such as the one for masters, cause a warning.',
  knownFrom: 'source',
})

export const appArmorWarnings = defineDifference({
  name: 'warnings-about-app-armor-annotations',
  since: '1.30',
  description: 'AppArmor annotations cause a warning, since there is a field.',
  knownFrom: 'source',
})

export const fixedHostPorts = defineDifference({
  name: 'host-port-errors-name-host-port',
  since: '1.28',
  description: 'With hostNetwork, errors of a port are reported at hostPort rather than at containerPort.',
  knownFrom: 'recorded',
})

/** The version from which names of owners of Pods should be DNS labels. */
export const ownerNameWarnings = defineDifference({
  name: 'names-of-owners-of-pods-cause-warnings',
  since: '1.27',
  description:
    'A name of a Deployment, ReplicaSet or ReplicationController that is not a DNS label causes a warning, and that of a new StatefulSet must be one.',
  knownFrom: 'source',
})

export const scalesTakeNamespace = defineDifference({
  name: 'scales-take-the-namespace-of-the-path',
  since: '1.24',
  description: 'A Scale sent without a namespace gets the namespace of the path.',
  knownFrom: 'source',
})

export const readScalesNameTheirObject = defineDifference({
  name: 'scales-that-cannot-be-read-name-their-object',
  since: '1.33',
  description: 'The error of a read of a Scale whose object does not exist names the object instead of its scale.',
  knownFrom: 'source',
})

/** Whether claims, also in templates, are warned about. */
export const claimWarnings = defineDifference({
  name: 'warnings-about-fractions-of-bytes',
  since: '1.26',
  description: 'Claims for fractions of a byte, also in templates, cause a warning.',
  knownFrom: 'source',
})

/** Whether the groups of data sources of claims, also in templates, are checked. */
export const checkedDataSourceGroups = defineDifference({
  name: 'groups-of-data-sources-are-checked',
  since: '1.29',
  description: 'The apiGroup of the data source of a claim, or of a template for one, must be a valid group name.',
  knownFrom: 'source',
})

const selectorValuesAreChecked = defineDifference({
  name: 'values-in-selectors-are-checked',
  since: '1.26',
  description:
    'Values in the selectors of workloads, budgets, network policies, claims, storage capacities, cluster roles and webhooks must be valid label values. An update may keep invalid ones that are stored.',
  knownFrom: 'source',
})
/** Whether values in a selector must be valid label values. Stored ones are accepted. */
export const checksSelectorValues = (
  level: ServedLevel,
  ...stored: readonly (LabelSelector | null | undefined)[]
): boolean => level.has(selectorValuesAreChecked) && !stored.some(hasImpossibleValue)

const nodeSelectorValuesAreChecked = defineDifference({
  name: 'values-in-node-affinity-are-checked',
  since: '1.33',
  description:
    'Values in the required node affinity of Pods and volumes must be valid label values. An update may keep invalid ones that are stored.',
  knownFrom: 'source',
})
/** Whether values in required node affinity must be valid label values. Stored ones are accepted. */
export const checksNodeSelectorValues = (level: ServedLevel, stored: NodeSelector | undefined): boolean =>
  level.has(nodeSelectorValuesAreChecked) && !hasImpossibleNodeValue(stored)

export const tokenPathsAreLocal = defineDifference({
  name: 'paths-of-projected-tokens-are-local',
  since: '1.30',
  description:
    'The path of a service account token in a projected volume must be relative, without `..`. An update may keep others that are stored.',
  knownFrom: 'source',
})

export const initResizesRestartNothing = defineDifference({
  name: 'resizes-restart-no-init-containers',
  since: '1.36',
  description:
    'The resize policy of an init container that is no sidecar must not be RestartContainer. An update may keep what is stored.',
  knownFrom: 'source',
})

/** All differences of Pods and templates of Pods. */
export const podDifferences: readonly Difference[] = [
  containersByRole,
  podSystems,
  probeGracePeriods,
  procMounts,
  imageVolumes,
  restartPoliciesAreDropped,
  containerRestartPolicies,
  restartAllContainers,
  sleepsOfZero,
  hostPortsOfPodsOnly,
  spreadSelectors,
  spreadSelectorMerge,
  driverWarnings,
  graceWarning,
  ownUsersHaveNoDevices,
  tokenPathsAreLocal,
  initResizesRestartNothing,
  valueAndAddressWarnings,
  moreLabelWarnings,
  clearWarnings,
  pathWarnings,
  portNameWarnings,
  appArmorWarnings,
  fixedHostPorts,
  ownerNameWarnings,
  scalesTakeNamespace,
  readScalesNameTheirObject,
  aliasErrorsNameTheirEntry,
  longDnsSearches,
  claimWarnings,
  checkedDataSourceGroups,
  selectorValuesAreChecked,
  nodeSelectorValuesAreChecked,
  ...volumeDifferences,
]

import type { IsGateEnabled } from '../../plugin/gates.js'
import type { ServedLevel } from '../../plugin/level.js'
import type { Container } from '../container.js'
import { defaultPodResources } from '../pod-resources.js'
import type { PodSpec } from '../pod-spec.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import { roundResourceList } from '../validation/resource-quantities.js'
import { hostPortsOfPodsOnly } from './differences.js'
import { imageTag } from './image-tag.js'

/**
 * Fills defaults that depend on other fields of a Pod spec, also inside templates. Static defaults are in the schema. Fields whose gate
 * is off get none: they are dropped later, but would have an owner.
 */
export function defaultPodSpec(spec: PodSpec, level: ServedLevel, isEnabled: IsGateEnabled = () => true): void {
  // A list that was not sent becomes an empty one, so that code for Pods need not check.
  spec.containers ??= []
  for (const container of allContainers(spec)) {
    container.imagePullPolicy ||= pullPolicyOf(container.image)
    roundRequirements(container.resources)
  }
  if (!level.has(hostPortsOfPodsOnly)) defaultHostPorts(spec)
  for (const volume of spec.volumes ?? []) {
    // The specification requires a source; Kubernetes uses an emptyDir if there is none.
    if (!level.isAdditive && Object.keys(volume).every(key => key === 'name')) volume.emptyDir = {}
    const { ephemeral, image } = volume
    roundRequirements(ephemeral?.volumeClaimTemplate?.spec.resources)
    if (image && isEnabled('ImageVolume')) image.pullPolicy ||= pullPolicyOf(image.reference)
  }
  roundResourceList(spec.overhead)
  shareServiceAccountName(spec)
}

/** Sets defaults of Pods, including those that templates do not get. */
export function defaultPod(spec: PodSpec, level: ServedLevel, isEnabled: IsGateEnabled = () => true): void {
  defaultPodSpec(spec, level, isEnabled)
  for (const { resources } of mainContainers(spec)) {
    if (resources?.limits === undefined) continue
    // A request defaults to the limit.
    resources.requests = { ...resources.limits, ...resources.requests }
  }
  if (isEnabled('PodLevelResources')) defaultPodResources(spec)
  spec.enableServiceLinks ??= true
  defaultHostPorts(spec)
}

const mainContainers = (spec: PodSpec): Container[] => [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
const allContainers = (spec: PodSpec): Container[] => [...mainContainers(spec), ...(spec.ephemeralContainers ?? [])]

function roundRequirements(resources: ResourceRequirements | undefined): void {
  roundResourceList(resources?.limits)
  roundResourceList(resources?.requests)
}

/** In the network of the node, the port of the container is the port of the node. */
function defaultHostPorts(spec: PodSpec): void {
  if (!spec.hostNetwork) return
  for (const { ports = [] } of mainContainers(spec)) for (const port of ports) port.hostPort ||= port.containerPort
}

const pullPolicyOf = (image = '') => (imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent')

/** Sets the account name in both the current and the deprecated field. */
function shareServiceAccountName(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount
  if (!name) return
  spec.serviceAccountName = name
  spec.serviceAccount = name
}

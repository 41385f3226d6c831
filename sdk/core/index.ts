/** Types of the core group that several plugins share. */
export { warningsAboutIp } from '../validation/address-forms.js'
export { Affinity, NodeAffinity, PodAffinityTerm, PreferredSchedulingTerm } from './affinity.js'
export { claimFractionWarnings } from './claim-warnings.js'
export * from './config-map.js'
export { Container } from './container.js'
export { ContainerStateTerminated, ContainerStatus } from './container-status.js'
export * from './endpoints.js'
export { Event, EventSource } from './event.js'
export { Lease } from './lease.js'
export { LoadBalancerStatus } from './load-balancer.js'
export * from './namespace.js'
export { isSchedulingTaint, type NodeCondition, type NodeState, schedulingTaints } from './node-conditions.js'
export { isNodeSelected, isTolerated } from './node-fit.js'
export {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
} from './node-selector.js'
export { claimCollection, PersistentVolumeClaim, PersistentVolumeClaimStatus } from './persistent-volume-claim.js'
export { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.js'
export {
  CSIPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  StorageOSPersistentVolumeSource,
} from './persistent-volume-sources.js'
export * from './persistent-volume-spec.js'
export { Pod, PodCondition, PodStatus } from './pod.js'
export * from './pod-gates.js'
export * from './pod-logs.js'
export * from './pod-references.js'
export { isSameResources, podRequests, podTotals } from './pod-resources.js'
export { checkAppArmorAgreement } from './pod-spec/app-armor-agreement.js'
export { appArmorAnnotation } from './pod-spec/app-armor-annotation.js'
export { defaultPod, defaultPodSpec } from './pod-spec/defaults.js'
export {
  checkedDataSourceGroups,
  checksNodeSelectorValues,
  checksSelectorValues,
  claimWarnings,
  ownerNameWarnings,
  podDifferences,
  spreadSelectorMerge,
} from './pod-spec/differences.js'
export { dropFormerAnnotations } from './pod-spec/former-annotations.js'
export { podAnnotations } from './pod-spec/pod-annotations.js'
export { oldNodeLabels, podWarnings } from './pod-spec/pod-warnings.js'
export {
  checkRunsForever,
  checkSelected,
  checkSharedDisks,
  checkTemplateLimits,
  ownerWarnings,
  preparePodTemplate,
  templateWarnings,
  validateReplicatedTemplate,
} from './pod-spec/replicated-template.js'
export { checkSeccompAgreement } from './pod-spec/seccomp-agreement.js'
export { containerNames, imageNames, labelsText, selectorText } from './pod-spec/texts.js'
export { dropUnservedFields } from './pod-spec/unserved-fields.js'
export { validateAnnotations } from './pod-spec/validate-annotations.js'
export { checkImageBlanks } from './pod-spec/validate-container.js'
export {
  validateAppArmorProfile,
  validatePodAnnotations,
  validateSeccompProfile,
} from './pod-spec/validate-pod-annotations.js'
export { validatePodSpec } from './pod-spec/validate-pod-spec.js'
export { validatePodTemplate } from './pod-spec/validate-pod-template.js'
export { validatePortReference } from './pod-spec/validate-probe.js'
export { validateAppArmor } from './pod-spec/validate-security-context.js'
export { missingDriverNames, publishSecretAtItsPath } from './pod-spec/volume-differences.js'
export { validateTemplateMetadata } from './pod-spec/volumes/ephemeral-rules.js'
export { maxDeadlineSeconds, PodSpec, PodTemplateSpec } from './pod-spec.js'
export {
  type PodAttachQuery,
  type PodProcess,
  type PodProcessEnds,
  type PodStreamSource,
  podStreams,
} from './pod-streams.js'
export { protocols } from './port-limits.js'
export { proxyTo, splitProxyName, unreachableService } from './proxy.js'
export * from './quality-of-service.js'
export {
  LocalObjectReference,
  ObjectReference,
  TypedLocalObjectReference,
  type TypedObjectReference,
} from './references.js'
export { ResourceRequirements } from './resource-requirements.js'
export * from './scale.js'
export { scaleAtPaths, validateScale } from './scale-at-paths.js'
export * from './seccomp-profiles.js'
export { Secret } from './secret.js'
export { AppArmorProfile, Capabilities, SELinuxOptions, SeccompProfile } from './security-context.js'
export { Service, ServicePort, ServiceSpec } from './service.js'
export * from './taints.js'
export * from './validation/address-rules.js'
export * from './validation/csi-driver-name.js'
export * from './validation/field-rules.js'
export { validateFlexVolume } from './validation/flex-volume-rules.js'
export { isIscsiNameTooLong, validateIscsiTarget } from './validation/iscsi-rules.js'
export { validateNodeSelector } from './validation/node-selector-rules.js'
export {
  type ClaimRules,
  validateAccessModes,
  validatePersistentVolumeClaimSpec,
  validateVolumeMode,
} from './validation/persistent-volume-claim-spec-rules.js'
export {
  checkNonNegative,
  checkPositive,
  compareAmountTexts,
  isExtendedResource,
  isHugePagesResource,
  isNativeResource,
  isOvercommitAllowed,
  isStandardResource,
  type ResourceList,
  roundResourceList,
  validateResourceAmount,
  validateResourceName,
} from './validation/resource-quantities.js'
export {
  validateContainerResourceName,
  validateResourceRequirements,
} from './validation/resource-requirements-rules.js'
export * from './validation/shared-volume-rules.js'
export * from './validation/toleration-rules.js'
export { checkNoBacksteps } from './validation/volume-paths.js'
export { Volume } from './volume.js'

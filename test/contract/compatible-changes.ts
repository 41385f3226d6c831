/**
 * Changes since the last release that look breaking to the comparison but break no plugin, with the reason. Emptied when a
 * release is recorded.
 */
export const compatibleChanges: Readonly<Record<string, string>> = {
  'orch/sdk ActionRequest': 'a further member, in an object that only the host makes',
  'orch/sdk VersionDefinition': '`defaults` is called with a further argument, which it may ignore',
  'orch/sdk/core PersistentVolumeClaim':
    '`volumeMode` of a claim has no enum in the schema: `validatePersistentVolumeClaimSpec` checks it',
  'orch/sdk/core PersistentVolumeClaimSpec':
    '`volumeMode` of a claim has no enum in the schema: `validatePersistentVolumeClaimSpec` checks it',
  'orch/sdk/core Pod':
    '`volumeMode` of a claim has no enum in the schema: `validatePersistentVolumeClaimSpec` checks it',
  'orch/sdk/core PodSpec':
    '`volumeMode` of a claim has no enum in the schema: `validatePersistentVolumeClaimSpec` checks it',
  'orch/sdk/core PodTemplateSpec':
    '`volumeMode` of a claim has no enum in the schema: `validatePersistentVolumeClaimSpec` checks it',
  'orch/sdk/core Volume':
    '`volumeMode` of a claim has no enum in the schema: `validatePersistentVolumeClaimSpec` checks it',
  'orch/sdk/core checkSharedDisks': 'a further parameter or option, which may be left out',
  'orch/sdk/core defaultPod': 'a further parameter, which may be left out',
  'orch/sdk/core defaultPodSpec': 'a further parameter, which may be left out',
  'orch/sdk/core validateNodeSelector': 'a further parameter or option, which may be left out',
  'orch/sdk/core validatePodSpec': 'a further parameter or option, which may be left out',
  'orch/sdk/core validatePodTemplate': 'a further parameter or option, which may be left out',
  'orch/sdk/core validateReplicatedTemplate': 'a further parameter or option, which may be left out',
  'orch/sdk/host PluginDefinition': '`sdk` accepts more than before: a range for each entry point',
  'orch/sdk/host sdkVersion': 'the type was the one version itself, and is string',
  'orch/sdk/validation validateLabelSelector': 'a further parameter, which may be left out',
}

import { defineDifference } from 'orch/sdk'

/** Differences of this plugin between versions. */
export const warnsAsItEnforces = defineDifference({
  name: 'pod-security-warns-of-what-it-enforces',
  since: '1.26',
  description:
    'In a namespace with a label for the enforced standard and none for warnings, templates cause warnings by the enforced standard.',
  knownFrom: 'source',
  additive: true,
})

export const checksChangedPodSeccomp = defineDifference({
  name: 'pod-security-checks-changed-seccomp-annotations-of-pods',
  until: '1.24',
  description: 'An update of a Pod that changes its annotation for seccomp is checked again.',
  knownFrom: 'source',
})

export const checksChangedContainerSeccomp = defineDifference({
  name: 'pod-security-checks-changed-seccomp-annotations-of-containers',
  until: '1.26',
  description: 'An update of a Pod that changes the annotation for seccomp of a container is checked again.',
  knownFrom: 'source',
})

export const differences = [warnsAsItEnforces, checksChangedPodSeccomp, checksChangedContainerSeccomp]

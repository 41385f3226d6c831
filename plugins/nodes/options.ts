import { type FeatureGate, type Static, Type } from 'orch/sdk'
import { podGates } from 'orch/sdk/core'
import { addressGates } from 'orch/sdk/validation'

const tolerationSeconds = (state: string) =>
  Type.Integer({
    default: 300,
    description: `How long a Pod without a matching toleration stays on a node that ${state}.`,
  })

export const NodeOptions = Type.Object({
  defaultNotReadyTolerationSeconds: tolerationSeconds('is not ready'),
  defaultUnreachableTolerationSeconds: tolerationSeconds('cannot be reached'),
})
export type NodeOptions = Static<typeof NodeOptions>

export const nodeGates = {
  // Features of Pods that nodes report, or that the controls here check.
  GenericWorkload: podGates.GenericWorkload,
  InPlacePodVerticalScaling: podGates.InPlacePodVerticalScaling,
  RecursiveReadOnlyMounts: podGates.RecursiveReadOnlyMounts,
  SupplementalGroupsPolicy: podGates.SupplementalGroupsPolicy,
  UserNamespacesSupport: podGates.UserNamespacesSupport,
  ...addressGates,
  NodeDeclaredFeatures: {
    stage: 'alpha',
    description: 'Nodes report the features of their agents.',
  },
  PodTopologyLabelsAdmission: {
    stage: 'beta',
    description: 'Pods are labelled with the zone and the region of their node.',
  },
  WorkloadWithJob: {
    stage: 'alpha',
    description: 'The parallelism of a gang-scheduled job is immutable.',
  },
  TopologyAwareWorkloadScheduling: {
    stage: 'alpha',
    description: 'PodGroups may constrain the topology of their Pods.',
  },
  WorkloadAwarePreemption: {
    stage: 'alpha',
    description: 'Groups of Pods have a priority, and are disrupted as a whole.',
  },
  DRAWorkloadResourceClaims: {
    stage: 'alpha',
    description: 'Groups of Pods share claims of resources.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

import { AtomicList, field, Int32, kept, ListOf, required, Struct, Text } from 'orch/sdk'

/** The types that Workloads and groups of Pods share; a version has them under its own names. */
export function schedulingSchemas(version: 'v1alpha1' | 'v1alpha2') {
  const isFirst = version === 'v1alpha1'
  const name = (type: string) => `scheduling.${version}.${type}`
  const Basic = Struct(name('BasicSchedulingPolicy'), {}, { description: 'Each Pod by itself.' })
  const Gang = Struct(
    name('GangSchedulingPolicy'),
    {
      minCount: required(1, Int32(), 'How many Pods must be schedulable before any of them is scheduled. At least 1.'),
    },
    { description: 'All or nothing.' },
  )
  const Policy = Struct(
    name(isFirst ? 'PodGroupPolicy' : 'PodGroupSchedulingPolicy'),
    {
      basic: kept(isFirst ? 2 : 1, Basic, 'Each Pod is placed by itself.'),
      gang: kept(isFirst ? 3 : 2, Gang, 'Either enough Pods are scheduled at once, or none.'),
    },
    { description: 'How the Pods of a group are placed. Exactly one of its fields is set.' },
  )
  const Controller = Struct(
    name('TypedLocalObjectReference'),
    {
      apiGroup: field(1, Text(), 'API group; empty is the core group.'),
      kind: required(2, Text(), 'Kind of the object.'),
      name: required(3, Text(), 'Name of the object.'),
    },
    { description: 'An object in the same namespace.' },
  )
  return { Policy, Controller }
}

const { Policy, Controller } = schedulingSchemas('v1alpha2')

export { Controller, Policy }

const TopologyConstraint = Struct(
  'scheduling.v1alpha2.TopologyConstraint',
  { key: required(1, Text(), 'Label of nodes: Pods of the group run where it has the same value.') },
  { description: 'Keeps the Pods of a group together.' },
)
const Constraints = Struct(
  'scheduling.v1alpha2.PodGroupSchedulingConstraints',
  {
    topology: field(
      1,
      AtomicList(TopologyConstraint),
      'Where the Pods may run, in terms of labels of nodes. At most one.',
    ),
  },
  { description: 'Where the Pods of a group may run.' },
)
const Claim = Struct(
  'scheduling.v1alpha2.PodGroupResourceClaim',
  {
    name: required(1, Text(), 'Name of the claim in the group.'),
    resourceClaimName: kept(2, Text(), 'A claim that exists, in the same namespace.'),
    resourceClaimTemplateName: kept(3, Text(), 'A template from which a claim is created for the group.'),
  },
  { description: 'A claim that all Pods of a group share.' },
)

/** Fields that groups and templates of groups share. */
export const groupFields = (placed: 'in a group' | 'in a template') => ({
  schedulingPolicy: required(2, Policy, 'How the Pods are placed.'),
  schedulingConstraints: field(3, Constraints, {
    description: 'Where the Pods may run.',
    gate: 'TopologyAwareWorkloadScheduling',
    // A template shows that it has none.
    ...(placed === 'in a template' ? { presence: 'always' as const, nullable: true } : {}),
  }),
  resourceClaims: field(
    4,
    ListOf(Claim, { listType: 'map', listMapKeys: ['name'], patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' }),
    {
      description: 'Claims that the Pods share, at most 4.',
      gate: 'DRAWorkloadResourceClaims',
    },
  ),
  disruptionMode: kept(5, Text(), {
    description: 'Whether one Pod of the group can be disrupted (Pod, the default) or only all of them (PodGroup).',
    gate: 'WorkloadAwarePreemption',
    ...(placed === 'in a group' ? { default: 'Pod' } : {}),
  }),
  priorityClassName: field(6, Text(), {
    description: 'Class of the priority of the group.',
    gate: 'WorkloadAwarePreemption',
  }),
  priority: kept(7, Int32(), { description: 'The priority of the group.', gate: 'WorkloadAwarePreemption' }),
})

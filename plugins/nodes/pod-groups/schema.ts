import {
  Condition,
  embedded,
  field,
  KeyedList,
  Kind,
  kept,
  ListOf,
  type ObjectOf,
  required,
  Struct,
  Text,
} from 'orch/sdk'
import { groupFields } from './shared-schemas.js'

const WorkloadReference = Struct(
  'scheduling.v1alpha2.WorkloadPodGroupTemplateReference',
  {
    workloadName: required(1, Text(), 'Name of the Workload.'),
    podGroupTemplateName: required(2, Text(), 'Name of the template in it.'),
  },
  { description: 'A template of groups in a Workload.' },
)
const TemplateReference = Struct(
  'scheduling.v1alpha2.PodGroupTemplateReference',
  {
    workload: field(1, WorkloadReference, {
      presence: 'always',
      nullable: true,
      description: 'A template in a Workload.',
    }),
  },
  { description: 'The template that a group was created from.' },
)
export const PodGroupSpec = Struct(
  'scheduling.v1alpha2.PodGroupSpec',
  {
    podGroupTemplateRef: field(1, TemplateReference, {
      presence: 'always',
      nullable: true,
      description: 'The template that the group was created from.',
    }),
    ...groupFields('in a group'),
  },
  { description: 'How the Pods of the group are placed. It cannot be changed.' },
)
const ClaimStatus = Struct(
  'scheduling.v1alpha2.PodGroupResourceClaimStatus',
  {
    name: required(1, Text(), 'Name of the claim in the group.'),
    resourceClaimName: kept(2, Text(), 'The claim that was created for it.'),
  },
  { description: 'A claim that was created from a template.' },
)
const PodGroupStatus = Struct(
  'scheduling.v1alpha2.PodGroupStatus',
  {
    conditions: field(1, KeyedList(Condition, 'type'), 'Conditions of the group, such as whether it was scheduled.'),
    resourceClaimStatuses: field(
      2,
      ListOf(ClaimStatus, {
        listType: 'map',
        listMapKeys: ['name'],
        patchStrategy: 'merge,retainKeys',
        patchMergeKey: 'name',
      }),
      { description: 'The claims that were created for the group.', gate: 'DRAWorkloadResourceClaims' },
    ),
  },
  { description: 'Observed state of the group.' },
)

export const PodGroup = Kind(
  'scheduling.v1alpha2.PodGroup',
  {
    spec: required(2, PodGroupSpec, 'How the Pods of the group are placed.'),
    status: embedded(3, PodGroupStatus, 'Observed state. Written by the scheduler.'),
  },
  { description: 'Pods that are placed together.' },
)
export type PodGroup = ObjectOf<typeof PodGroup>

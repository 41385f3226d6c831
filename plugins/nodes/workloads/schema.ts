import { field, Kind, MapList, type ObjectOf, required, Struct, Text } from 'orch/sdk'
import { Controller, groupFields, schedulingSchemas } from '../pod-groups/shared-schemas.js'

const Template = Struct(
  'scheduling.v1alpha2.PodGroupTemplate',
  { name: required(1, Text(), 'Name of the template in the Workload.'), ...groupFields('in a template') },
  { description: 'A template of PodGroups.' },
)
export const Workload = Kind(
  'scheduling.v1alpha2.Workload',
  {
    spec: required(
      2,
      Struct(
        'scheduling.v1alpha2.WorkloadSpec',
        {
          controllerRef: field(1, Controller, 'The object whose Pods these are. It can be set once.'),
          podGroupTemplates: required(2, MapList(Template, 'name'), 'The groups of its Pods, at most 8.'),
        },
        { description: 'Which Pods are placed together.' },
      ),
      'Which Pods are placed together.',
    ),
  },
  { description: 'Says which Pods of an application are placed together.' },
)
export type Workload = ObjectOf<typeof Workload>

const first = schedulingSchemas('v1alpha1')
const FirstGroup = Struct(
  'scheduling.v1alpha1.PodGroup',
  {
    name: required(1, Text(), 'Name of the group in the Workload.'),
    policy: required(3, first.Policy, 'How its Pods are placed.'),
  },
  { description: 'Pods that are placed together.' },
)
/** The first version had the groups themselves instead of templates of them. */
export const FirstWorkload = Kind(
  'scheduling.v1alpha1.Workload',
  {
    spec: required(
      2,
      Struct(
        'scheduling.v1alpha1.WorkloadSpec',
        {
          controllerRef: field(1, first.Controller, 'The object whose Pods these are.'),
          podGroups: required(2, MapList(FirstGroup, 'name'), 'The groups of its Pods, at most 8.'),
        },
        { description: 'Which Pods are placed together.' },
      ),
      'Which Pods are placed together.',
    ),
  },
  { description: 'Says which Pods of an application are placed together.' },
)
export type FirstWorkload = ObjectOf<typeof FirstWorkload>

export const convertFirst = {
  toStorage({ spec: { podGroups, ...spec }, ...rest }: FirstWorkload): Workload {
    const podGroupTemplates = (podGroups ?? []).map(({ name, policy }) => ({ name, schedulingPolicy: policy }))
    return { ...rest, spec: { ...spec, podGroupTemplates } }
  },
  fromStorage({ spec: { podGroupTemplates, ...spec }, ...rest }: Workload): FirstWorkload {
    const podGroups = (podGroupTemplates ?? []).map(({ name, schedulingPolicy }) => ({
      name,
      policy: schedulingPolicy,
    }))
    return { ...rest, spec: { ...spec, podGroups } }
  },
}

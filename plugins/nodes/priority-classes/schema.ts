import { Bool, field, type GroupResource, Int32, Kind, kept, required, type Static, Text } from 'orch/sdk'
import type { NodeNames } from '../names.js'

export const PriorityClass = Kind(
  'scheduling.v1.PriorityClass',
  {
    value: required(2, Int32(), {
      description:
        'The priority: the higher, the more important. At most 1000000000, except for system classes. It cannot be changed.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    globalDefault: field(
      3,
      Bool(),
      'Whether it is the class of Pods that name none. At most one class may be the default.',
    ),
    description: field(4, Text(), 'When to use the class.'),
    preemptionPolicy: kept(5, Text(), {
      description: 'Whether Pods of the class may preempt others: PreemptLowerPriority (the default) or Never.',
      default: 'PreemptLowerPriority',
    }),
  },
  { description: 'A name for a priority of Pods.' },
)
export type PriorityClass = Static<typeof PriorityClass>

export const priorityClassCollection = ({ schedulingGroup }: NodeNames): GroupResource => ({
  group: schedulingGroup,
  resource: 'priorityclasses',
})

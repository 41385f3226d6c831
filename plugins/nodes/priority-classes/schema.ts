import { Flag, field, type GroupResource, Int32, Kind, kept, needed, type Static, Text } from 'orch/sdk'
import type { NodeNames } from '../names.js'

export const PriorityClass = Kind('scheduling.v1.PriorityClass', {
  value: needed(2, Int32()),
  globalDefault: field(3, Flag()),
  description: field(4, Text()),
  preemptionPolicy: kept(5, Text(), { default: 'PreemptLowerPriority' }),
})
export type PriorityClass = Static<typeof PriorityClass>

export const priorityClassCollection = ({ schedulingGroup }: NodeNames): GroupResource => ({
  group: schedulingGroup,
  resource: 'priorityclasses',
})

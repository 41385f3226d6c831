import { field, Int64, kept, required, type Static, Struct, Text, Time } from '../resource/schema.js'

/** Keeps Pods that do not tolerate it away from a node. */
export const Taint = Struct(
  'core.v1.Taint',
  {
    key: required(1, Text(), 'Name of the taint.'),
    value: field(2, Text(), 'Value of the taint.'),
    effect: required(
      3,
      Text(),
      'What happens to Pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute.',
    ),
    timeAdded: kept(4, Time(), 'When it was added. Only for NoExecute.'),
  },
  { description: 'Keeps Pods away from a node unless they tolerate it.' },
)
export type Taint = Static<typeof Taint>

/** Lets a Pod stay on nodes with the matching taint. */
export const Toleration = Struct(
  'core.v1.Toleration',
  {
    key: field(1, Text(), 'Name of the taint. Empty means all, with operator Exists.'),
    operator: field(2, Text(), 'Exists, or Equal (the default), which compares the value.'),
    value: field(3, Text(), 'Value of the taint.'),
    effect: field(4, Text(), 'Effect of the taint. Empty means all.'),
    tolerationSeconds: kept(5, Int64(), 'How long a taint of effect NoExecute is tolerated. Forever by default.'),
  },
  { description: 'Taints that a Pod tolerates.' },
)
export type Toleration = Static<typeof Toleration>

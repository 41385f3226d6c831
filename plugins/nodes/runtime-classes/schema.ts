import {
  AtomicList,
  field,
  Kind,
  kept,
  MapOf,
  Quantity,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
} from 'orch/sdk'
import { Toleration } from 'orch/sdk/core'

export const Overhead = Struct(
  'node.v1.Overhead',
  {
    podFixed: field(1, MapOf(Quantity()), 'The overhead of a Pod, by resource.'),
  },
  { description: 'Overhead of a Pod beside its containers.' },
)
export type Overhead = Static<typeof Overhead>

export const Scheduling = Struct(
  'node.v1.Scheduling',
  {
    nodeSelector: field(
      1,
      StringMap({ mapType: 'atomic' }),
      'Labels of such nodes. Merged into the selector of the Pod.',
    ),
    tolerations: field(2, AtomicList(Toleration), 'Added to the tolerations of the Pod.'),
  },
  { description: 'Which nodes support a runtime class.' },
)
export type Scheduling = Static<typeof Scheduling>

export const RuntimeClass = Kind(
  'node.v1.RuntimeClass',
  {
    handler: required(2, Text(), "Name of the runtime's configuration on the nodes. It cannot be changed."),
    overhead: kept(3, Overhead, 'Overhead of its Pods beside their containers.'),
    scheduling: kept(4, Scheduling, 'Which nodes support the class.'),
  },
  { description: 'A way to run containers.' },
)
export type RuntimeClass = Static<typeof RuntimeClass>

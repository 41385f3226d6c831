import { Kind, kept, required, type Static, Struct, Text } from 'orch/sdk'
import * as stable from './schema.js'

/** The same fields as in v1, under the names of the older version. */
export const Overhead = Struct('node.v1beta1.Overhead', stable.Overhead.properties)
export type Overhead = Static<typeof Overhead>

export const Scheduling = Struct('node.v1beta1.Scheduling', stable.Scheduling.properties)
export type Scheduling = Static<typeof Scheduling>

export const RuntimeClass = Kind(
  'node.v1beta1.RuntimeClass',
  {
    handler: required(2, Text(), "Name of the runtime's configuration on the nodes. It cannot be changed."),
    overhead: kept(3, Overhead, 'Overhead of its Pods beside their containers.'),
    scheduling: kept(4, Scheduling, 'Which nodes support the class.'),
  },
  { description: 'A way to run containers.' },
)
export type RuntimeClass = Static<typeof RuntimeClass>

import { Kind, kept, needed, type Static, Struct, Text } from 'orch/sdk'
import * as stable from './schema.js'

/** The same fields as in v1, under the names of the older version. */
export const Overhead = Struct('node.v1beta1.Overhead', stable.Overhead.properties)
export type Overhead = Static<typeof Overhead>

export const Scheduling = Struct('node.v1beta1.Scheduling', stable.Scheduling.properties)
export type Scheduling = Static<typeof Scheduling>

export const RuntimeClass = Kind('node.v1beta1.RuntimeClass', {
  handler: needed(2, Text()),
  overhead: kept(3, Overhead),
  scheduling: kept(4, Scheduling),
})
export type RuntimeClass = Static<typeof RuntimeClass>

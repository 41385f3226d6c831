import { Kind, required, type Static } from 'orch/sdk'
import { ObjectReference } from 'orch/sdk/core'

export const Binding = Kind(
  'core.v1.Binding',
  {
    target: required(2, ObjectReference, 'The node.'),
  },
  { description: 'Binds a Pod to a node.' },
)
export type Binding = Static<typeof Binding>

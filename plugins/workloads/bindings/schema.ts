import { Kind, needed, ObjectReference, type Static } from 'orch/sdk'

export const Binding = Kind('core.v1.Binding', {
  target: needed(2, ObjectReference),
})
export type Binding = Static<typeof Binding>

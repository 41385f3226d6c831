import { field, Int64, Kind, Raw, required, type SentObjectOf } from 'orch/sdk'

export const ControllerRevision = Kind(
  'apps.v1.ControllerRevision',
  {
    data: field(2, Raw('runtime.RawExtension'), 'The recorded state.'),
    revision: required(3, Int64(), 'Number of the revision; later ones have higher numbers.'),
  },
  { description: 'A recorded state of a stateful set or a daemon set. It cannot be changed.' },
)
export type ControllerRevision = SentObjectOf<typeof ControllerRevision>

/** Names the collection for clients and caches. */
export const revisionCollection = { group: 'apps', version: 'v1', resource: 'controllerrevisions' } as const

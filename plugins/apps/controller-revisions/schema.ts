import { field, Int64, Kind, Raw, required, type SentObjectOf } from 'orch/sdk'

export const ControllerRevision = Kind(
  'apps.v1.ControllerRevision',
  {
    data: field(2, Raw('runtime.RawExtension'), 'What was wanted then.'),
    revision: required(3, Int64(), 'Which revision it is; later ones have higher numbers.'),
  },
  { description: 'What was once wanted of a stateful set or a daemon set. It does not change.' },
)
export type ControllerRevision = SentObjectOf<typeof ControllerRevision>

/** Names the collection for clients and caches. */
export const revisionCollection = { group: 'apps', version: 'v1', resource: 'controllerrevisions' } as const

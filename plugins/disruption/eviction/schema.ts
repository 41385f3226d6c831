import { Bool, field, Int64, Kind, kept, ListOf, type ObjectOf, Struct, Text } from 'orch/sdk'

const Preconditions = Struct(
  'meta.v1.Preconditions',
  {
    uid: kept(1, Text(), 'The object must have this UID.'),
    resourceVersion: kept(2, Text(), 'The object must have this version.'),
  },
  { description: 'What must hold before the object is deleted.' },
)
const DeleteOptions = Struct(
  'meta.v1.DeleteOptions',
  {
    gracePeriodSeconds: kept(1, Int64(), 'How long the object may take to end; 0 means at once.'),
    preconditions: kept(2, Preconditions, 'What must hold before it is deleted; otherwise the answer is 409.'),
    orphanDependents: kept(3, Bool(), 'Whether dependents stay. Deprecated: use propagationPolicy.'),
    propagationPolicy: kept(4, Text(), 'What happens to dependents: Orphan, Background or Foreground.'),
    dryRun: field(5, ListOf(Text()), 'All to try the deletion without doing it.'),
  },
  { description: 'How the object is to be deleted.' },
)

/** Asks for a Pod to go, unless too few of its kind would be left. */
export const Eviction = Kind(
  'policy.v1.Eviction',
  { deleteOptions: kept(2, DeleteOptions, 'How the Pod is to be deleted.') },
  { description: 'Asks for a Pod to be removed, if its budgets allow it.' },
)
export type Eviction = ObjectOf<typeof Eviction>

import { Bool, field, Int64, jsonOnly, Kind, kept, ListOf, type ObjectOf, Struct, Text } from 'orch/sdk'

/** The option of a deletion for objects that cannot be read. An eviction must read the Pod. */
export const unreadableOption = 'ignoreStoreReadErrorWithClusterBreakingPotential'

const Preconditions = Struct(
  'meta.v1.Preconditions',
  {
    uid: kept(1, Text(), 'The object must have this UID.'),
    resourceVersion: kept(2, Text(), 'The object must have this version.'),
  },
  { description: 'Conditions that must hold before the object is deleted.' },
)
const DeleteOptions = Struct(
  'meta.v1.DeleteOptions',
  {
    gracePeriodSeconds: kept(1, Int64(), 'How long the object may take to terminate; 0 means immediately.'),
    preconditions: kept(
      2,
      Preconditions,
      'Conditions that must hold before it is deleted; otherwise the response is 409.',
    ),
    orphanDependents: kept(3, Bool(), 'Whether dependents are kept. Deprecated: use propagationPolicy.'),
    propagationPolicy: kept(4, Text(), 'What happens to dependents: Orphan, Background or Foreground.'),
    apiVersion: jsonOnly(Text(), 'Version of the options.'),
    kind: jsonOnly(Text(), 'DeleteOptions.'),
    dryRun: field(5, ListOf(Text()), 'All to check the deletion without performing it.'),
    [unreadableOption]: kept(6, Bool(), {
      description: 'Deletes an object that cannot be read. It is refused here.',
      since: '1.32',
    }),
  },
  { description: 'How the object is to be deleted.' },
)

/** A request to delete a Pod, subject to its disruption budget. */
export const Eviction = Kind(
  'policy.v1.Eviction',
  { deleteOptions: kept(2, DeleteOptions, 'How the Pod is to be deleted.') },
  { description: 'Requests the deletion of a Pod, subject to its disruption budget.' },
)
export type Eviction = ObjectOf<typeof Eviction>

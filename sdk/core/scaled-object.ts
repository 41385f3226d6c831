import { conflict } from '../resource/api-errors.js'
import type { Column } from '../resource/columns.js'
import type { ObjectMeta } from '../resource/meta.js'

interface Counted {
  readonly spec?: { replicas?: number }
  readonly status?: { replicas?: number }
}
/** What a scale shows as a Table, beside its name and age. */
const counts: readonly Column<Counted>[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: 'The desired number of replicas.',
    cell: ({ spec }) => spec?.replicas ?? 0,
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'The number of replicas that there are.',
    cell: ({ status }) => status?.replicas ?? 0,
  },
]

/** The columns of the subresource `scale`. Without a type: they are nothing that users of the sdk would call. */
export const scaleAsTable = (name: Column, age: Column): object => ({ columns: [name, ...counts, age] })

/** Whether a sent version stands for any, as in other updates. */
export const isAnyVersion = (resourceVersion: string): boolean => /^0+$/.test(resourceVersion)

/** Throws unless the object is the one that a sent scale names, in the version that it names. */
export function refuseOtherObject(
  subject: { readonly group: string; readonly resource: string },
  { name, uid, resourceVersion }: ObjectMeta,
  { uid: sentUid = '', resourceVersion: sentVersion = '' }: ObjectMeta = {},
): void {
  if (sentUid !== '' && sentUid !== uid)
    throw conflict({ ...subject, name }, `the uid that was sent is ${sentUid}, that of the object ${uid}`)
  if (sentVersion !== '' && !isAnyVersion(sentVersion) && sentVersion !== resourceVersion)
    throw conflict(
      { ...subject, name },
      'the object has been modified; please apply your changes to the latest version and try again',
    )
}

import { conflict } from '../resource/api-errors.js'
import type { ObjectMeta } from '../resource/meta.js'

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

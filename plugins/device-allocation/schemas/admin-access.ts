import { type ApiObject, type FieldError, forbiddenField, type StoreReader } from 'orch/sdk'
import { namespaceCollection } from 'orch/sdk/core'
import type { DeviceNames } from '../names.js'

/** Access to devices that others use requires a label on the namespace. */
export async function checkAdminAccess(
  field: string | undefined,
  namespace: string,
  { adminAccessLabel }: DeviceNames,
  reader: StoreReader,
): Promise<FieldError[]> {
  if (field === undefined) return []
  const { metadata } = (await reader.get<ApiObject>(namespaceCollection, '', namespace)) ?? {}
  if (metadata?.labels?.[adminAccessLabel] === 'true') return []
  const needed = `admin access to devices requires the label ${adminAccessLabel}: true on the containing namespace`
  return [forbiddenField(field, needed)]
}

import { isDeepStrictEqual } from 'node:util'
import type { AdmissionRequest, ApiObject } from 'orch/sdk'

/** A node tells that the file system of a volume has grown, and nothing else about its claim. Returns why not. */
export function checkClaim(
  { operation, subresource, object, oldObject }: AdmissionRequest<ApiObject>,
  nodeName: string,
): string | undefined {
  if (subresource !== 'status' || operation !== 'update') return 'may only update PVC status'
  return isDeepStrictEqual(withoutGrowth(object), withoutGrowth(oldObject))
    ? undefined
    : `node "${nodeName}" is not allowed to update fields other than status.capacity and status.conditions`
}

/** As JSON, so that what is not set compares equal however it is not set. */
function withoutGrowth({ metadata, status, apiVersion: _, kind: __, ...rest }: ApiObject): unknown {
  const { resourceVersion: ___, managedFields: ____, ...meta } = metadata
  const { capacity: _____, conditions: ______, ...others } = (status ?? {}) as Record<string, unknown>
  return JSON.parse(JSON.stringify({ ...rest, metadata: meta, status: others }))
}

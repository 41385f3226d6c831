import type { ObjectMeta, Vendor } from 'orch/sdk'
import { staticNamesAreReserved } from '../differences.js'

/** A warning for a name with the suffix of configurations that Kubernetes can load from files. */
export function warnOfStaticName(metadata: ObjectMeta | undefined, vendor: Vendor): string[] {
  const suffix = `.${vendor.group('static')}`
  if (!vendor.level.has(staticNamesAreReserved) || !metadata?.name?.endsWith(suffix)) return []
  return [`metadata.name: names with the suffix "${suffix}" are reserved for configurations in files, not for the API`]
}

import type { Vendor } from 'orch/sdk'
import { type Endpoints, warningsAboutIp } from 'orch/sdk/core'
import { addressesAreStrict } from '../differences.js'

/** The controller that derives Endpoints from Services writes canonical addresses, thousands of them. */
const isFromController = ({ metadata }: Endpoints, vendor: Vendor): boolean =>
  metadata?.labels?.[vendor.qualify('managed-by', 'endpoints')] === 'endpoint-controller'

/** Warnings about addresses that should be written another way. */
export function endpointsWarnings(endpoints: Endpoints, vendor: Vendor): string[] {
  if (!vendor.level.has(addressesAreStrict) || isFromController(endpoints, vendor)) return []
  return (endpoints.subsets ?? []).flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap(list =>
      (subset[list] ?? []).flatMap(({ ip }, j) => warningsAboutIp(`subsets[${i}].${list}[${j}].ip`, ip)),
    ),
  )
}

import type { FlatClaimSpec, ResourceClaimSpec } from './claim-spec-schema.js'

interface Wanted {
  allocationMode?: string
  count?: number
}
function fillWanted(wanted: Wanted): void {
  wanted.allocationMode ||= 'ExactCount'
  if (wanted.allocationMode === 'ExactCount') wanted.count ||= 1
}

/** Who does not say how many devices are wanted gets one. */
export function fillSpec(spec: ResourceClaimSpec | undefined): void {
  for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    if (exactly) fillWanted(exactly)
    firstAvailable.forEach(fillWanted)
  }
}

/** The same for older versions; a request without a class has alternatives. */
export function fillFlatSpec(spec: FlatClaimSpec | undefined): void {
  for (const request of spec?.devices?.requests ?? []) {
    if (request.deviceClassName) fillWanted(request)
    request.firstAvailable?.forEach(fillWanted)
  }
}

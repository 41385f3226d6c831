import { isDeepStrictEqual } from 'node:util'
import type { Strategy, StrategyContext, Vendor } from 'orch/sdk'
import { warningsAboutIp } from 'orch/sdk/core'
import { isDns1123Subdomain } from 'orch/sdk/validation'
import { addressErrorsAreReportedOnce, fqdnSlicesCauseWarnings } from '../differences.js'
import type { DiscoveryNames } from '../names.js'
import type { EndpointSlice } from './schema.js'
import { validateSlice, validateSliceUpdate } from './validation.js'

/**
 * Changes of endpoints, and of labels, which name the owner, increase the generation. So do fields that are dropped afterwards;
 * an empty list is none.
 */
const isSameSlice = (draft: EndpointSlice, stored: EndpointSlice) =>
  isDeepStrictEqual(countedPartsOf(draft), countedPartsOf(stored))
const countedPartsOf = ({ addressType, endpoints, ports, metadata }: EndpointSlice) => [
  addressType,
  endpoints ?? [],
  ports ?? [],
  metadata?.labels ?? {},
]

/** Warnings about a valid slice. Those about addresses are not for the loops, which write many and only canonical ones. */
function sliceWarnings(
  { addressType, endpoints, metadata }: EndpointSlice,
  stored: EndpointSlice | undefined,
  { level }: Vendor,
  { managedByLabel, slicingManager, mirroringManager }: DiscoveryNames,
) {
  if (addressType === 'FQDN' && !stored && level.has(fqdnSlicesCauseWarnings))
    return ['addressType: FQDN endpoints are deprecated']
  const manager = metadata?.labels?.[managedByLabel]
  const isOfLoop = manager === slicingManager || manager === mirroringManager
  if (isOfLoop || !level.has(addressErrorsAreReportedOnce)) return []
  return (endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((address, j) => warningsAboutIp(`endpoints[${i}].addresses[${j}]`, address)),
  )
}

export function mainStrategy(names: DiscoveryNames, keepsHints: boolean, areStrict = false) {
  const { hostnameKey } = names
  const rulesAt = (vendor: Vendor | undefined) => ({
    areStrict,
    areReportedOnce: vendor?.level.has(addressErrorsAreReportedOnce) ?? false,
  })
  const dropHints = ({ endpoints }: EndpointSlice) => {
    for (const endpoint of endpoints ?? []) delete endpoint.hints
  }
  const hasHints = ({ endpoints }: EndpointSlice) => (endpoints ?? []).some(({ hints }) => hints !== undefined)

  /** The map of labels belongs to v1beta1. If a client of v1 sends it back unchanged, the node is kept. */
  const dropTopology = (
    draft: EndpointSlice,
    stored: EndpointSlice | undefined,
    { requestVersion }: StrategyContext,
  ) => {
    if (requestVersion === 'v1beta1' || (stored && isDeepStrictEqual(draft.endpoints, stored.endpoints))) return
    const knownNodes = new Set((stored?.endpoints ?? []).map(endpoint => endpoint.deprecatedTopology?.[hostnameKey]))
    for (const endpoint of draft.endpoints ?? []) {
      const node = endpoint.deprecatedTopology?.[hostnameKey]
      if (endpoint.nodeName === undefined && node !== undefined && knownNodes.has(node))
        if (isDns1123Subdomain(node).length === 0) endpoint.nodeName = node
      delete endpoint.deprecatedTopology
    }
  }

  return {
    prepareForCreate(draft, context) {
      draft.metadata = { ...draft.metadata, generation: 1 }
      if (!keepsHints) dropHints(draft)
      dropTopology(draft, undefined, context)
    },
    prepareForUpdate(draft, stored, context) {
      const generation = (stored.metadata?.generation ?? 0) + (isSameSlice(draft, stored) ? 0 : 1)
      draft.metadata = { ...draft.metadata, generation }
      if (!keepsHints && !hasHints(stored)) dropHints(draft)
      dropTopology(draft, stored, context)
    },
    validate: (object, { vendor }) => validateSlice(object, rulesAt(vendor)),
    validateUpdate: (object, stored, { vendor }) => validateSliceUpdate(object, stored, rulesAt(vendor)),
    warnings: (object, stored, { vendor }) => sliceWarnings(object, stored, vendor, names),
    metadataChecks: { change: 0, object: 1 },
  } satisfies Strategy<EndpointSlice>
}

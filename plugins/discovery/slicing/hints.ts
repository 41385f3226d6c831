import type { Service } from 'orch/sdk/core'
import type { Endpoint } from '../endpoint-slices/schema.js'
import type { DiscoveryNames } from '../names.js'

/**
 * Says for whom the endpoints of a Service are meant, as its trafficDistribution asks: ready ones for their own zone and, with
 * PreferSameNode, for their own node. The annotation of old for topology wins over the field.
 */
export function hintsOf(
  { metadata, spec }: Service,
  { topologyAnnotations }: DiscoveryNames,
): (endpoint: Endpoint) => Endpoint {
  const mode = topologyAnnotations.map(name => metadata?.annotations?.[name]).find(value => value !== undefined)
  const distribution = mode === 'Auto' || mode === 'auto' ? undefined : spec?.trafficDistribution
  if (!isPreference(distribution)) return endpoint => endpoint
  const withNodes = distribution === 'PreferSameNode'
  return endpoint => {
    const { conditions, zone, nodeName } = endpoint
    const hints = {
      ...(zone ? { forZones: [{ name: zone }] } : {}),
      ...(withNodes && nodeName ? { forNodes: [{ name: nodeName }] } : {}),
    }
    return conditions?.ready && Object.keys(hints).length > 0 ? { ...endpoint, hints } : endpoint
  }
}

const isPreference = (distribution: string | undefined): boolean =>
  distribution === 'PreferClose' || distribution === 'PreferSameZone' || distribution === 'PreferSameNode'

import type { Service } from 'orch/sdk/core'
import type { Endpoint } from '../endpoint-slices/schema.js'
import type { DiscoveryNames } from '../names.js'

/** Whether the annotation requests that the endpoints of a Service are allocated to zones. */
export function isForZones(
  { metadata }: Pick<Service, 'metadata'>,
  { topologyAnnotations }: Pick<DiscoveryNames, 'topologyAnnotations'>,
): boolean {
  const mode = topologyAnnotations.map(name => metadata?.annotations?.[name]).find(value => value !== undefined)
  return mode === 'Auto' || mode === 'auto'
}

/**
 * Adds hints to the endpoints of a Service according to its trafficDistribution: ready ones for their own zone and, with
 * PreferSameNode, for their own node. The older topology annotation takes precedence over the field.
 */
export function hintsOf(
  service: Service,
  names: Pick<DiscoveryNames, 'topologyAnnotations'>,
): (endpoint: Endpoint) => Endpoint {
  const distribution = isForZones(service, names) ? undefined : service.spec?.trafficDistribution
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

import type { Endpoints, Service } from 'orch/sdk/core'
import type { APIService } from '../api-services/schema.js'

export interface Finding {
  readonly isAvailable: boolean
  readonly reason: string
  readonly message: string
}

/** Checks the Service and its endpoints. Undefined if nothing is missing, so that the server has to be probed. */
export function findMissing(
  { spec }: APIService,
  service: Service | undefined,
  endpoints: Endpoints | undefined,
): Finding | undefined {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {}
  const missing = (reason: string, message: string) => ({ isAvailable: false, reason, message })
  const it = `service/${name} in ${JSON.stringify(namespace)}`
  if (!service) return missing('ServiceNotFound', `${it} is not present`)
  const { type = 'ClusterIP', ports = [] } = service.spec ?? {}
  // A Service of type ExternalName has neither ports nor endpoints.
  if (type === 'ExternalName') return undefined
  const servicePort = ports.find(each => each.port === port)
  if (!servicePort) return missing('ServicePortError', `${it} is not listening on port ${port}`)
  if (!endpoints) return missing('EndpointsNotFound', `cannot find endpoints for ${it}`)
  const portName = servicePort.name ?? ''
  const isReady = (endpoints.subsets ?? []).some(
    ({ addresses = [], ports: known = [] }) =>
      addresses.length > 0 && known.some(each => (each.name ?? '') === portName),
  )
  if (isReady) return undefined
  return missing('MissingEndpoints', `endpoints for ${it} have no addresses with port name ${JSON.stringify(portName)}`)
}

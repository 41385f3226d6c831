import { type Needs, services } from 'orch/sdk'
import { type ServiceToken, serviceNameOf } from 'orch/sdk/host'
import type { Registry } from '../registry/registry.js'

/** What only the process of the server can offer: its store, and its own judgement of requests. */
const serverOnly: ReadonlySet<ServiceToken<unknown>> = new Set<ServiceToken<unknown>>([
  services.reader,
  services.authorizer,
  services.tokens,
  services.sharedWork,
  services.requestLimits,
  services.servedStore,
])

/** The control loops that cannot run apart from the server, with the service that keeps each there. */
export function serverOnlyLoops(registry: Registry): ReadonlyMap<string, string> {
  const offered = new Map(
    registry.services.map(({ definition }) => [definition.token as ServiceToken<unknown>, definition.needs]),
  )
  const boundBy = (needs: Needs | undefined): ServiceToken<unknown> | undefined => {
    for (const token of Object.values(needs ?? {})) {
      // Needs have no cycles: the boot has checked.
      const found = serverOnly.has(token) ? token : boundBy(offered.get(token) as Needs | undefined)
      if (found) return found
    }
    return undefined
  }
  const bound = registry.controllers.map(({ definition }) => [definition.name, boundBy(definition.needs)] as const)
  return new Map(bound.flatMap(([name, token]) => (token ? [[name, serviceNameOf(token)] as const] : [])))
}

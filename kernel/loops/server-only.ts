import { type Needs, type ServiceToken, services } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import { pluginHost, sharedWork } from 'orch/sdk/proposed'
import type { Registry } from '../registry/registry.js'

/** Services that only the process of a server has, such as its store and its authorizers. */
const serverOnly: ReadonlySet<ServiceToken<unknown>> = new Set<ServiceToken<unknown>>([
  services.reader,
  services.describedObjects,
  services.authorizer,
  services.tokens,
  sharedWork,
  services.requestLimits,
  services.servedStore,
  pluginHost,
])

/** The control loops that can run only in a server, with the service that each of them needs. */
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

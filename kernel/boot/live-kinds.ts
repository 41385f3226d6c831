import type { Registrar, ServiceToken } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import { apiAudiences } from 'orch/sdk/identity'
import { apiDelegation, recorder, requestLimiter, requestTracer } from 'orch/sdk/server'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'

/**
 * What cannot be added or removed while the server runs, for a message. A kind that is missing in this table is a
 * compile error.
 */
const fixedKinds: Readonly<Record<keyof Registrar, string | undefined>> = {
  resource: undefined,
  subresource: undefined,
  typeSource: 'a source of types',
  admission: undefined,
  authenticator: undefined,
  authorizer: undefined,
  controller: undefined,
  storage: 'a storage engine',
  storeLayer: 'a layer of the store',
  healthCheck: undefined,
  route: undefined,
  // Commands are run by another process, which reads the config itself; notices are for the start of the server.
  command: undefined,
  consolePage: undefined,
  service: undefined,
  onStart: undefined,
  startNotice: undefined,
}

/** Services that the server itself was built with. */
const fixedServices: readonly ServiceToken<unknown>[] = [
  apiAudiences,
  apiDelegation,
  recorder,
  requestLimiter,
  requestTracer,
]

/** Why the contributions of a plugin cannot be added or removed while the server runs. */
export function liveProblems(registry: Registry, plugin: string): BootProblem[] {
  const kinds = registry.kinds.filter(kind => registry.ofKind(kind).some(each => each.plugin === plugin))
  const services = registry.services
    .filter(each => each.plugin === plugin && fixedServices.includes(each.definition.token))
    .map(({ definition }) => `the service "${serviceNameOf(definition.token)}"`)
  const brought = [...kinds.flatMap(kind => fixedKinds[kind] ?? []), ...services]
  return brought.map(what => problem('ORCH_PLUGIN_NOT_LIVE', { plugin, what }))
}

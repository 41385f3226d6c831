import { proposedServices, serviceNameOf } from 'orch/sdk/host'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'
import { needers } from './check-services.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/** Names of `orch/sdk/proposed` that a plugin uses and does not declare, once each. `needs` is data, so they are known before anything runs. */
export function undeclaredProposals({ definition, isolated }: DiscoveredPlugin, registry: Registry): BootProblem[] {
  const { name: plugin, proposed: declared = [] } = definition
  const used = new Set(isolated?.proposedServices)
  for (const { plugin: owner, needs } of needers(registry))
    if (owner === plugin)
      for (const token of Object.values(needs ?? {})) if (isProposed(token)) used.add(serviceNameOf(token))
  return [...used]
    .filter(name => !declared.includes(name))
    .map(name => problem('ORCH_PLUGIN_PROPOSED', { plugin, name }))
}

const tokens: ReadonlySet<unknown> = new Set(Object.values(proposedServices))
/** Whether a token is one of `orch/sdk/proposed`. */
export const isProposed = (token: unknown): boolean => tokens.has(token)

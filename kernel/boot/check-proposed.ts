import { proposedServices, serviceNameOf } from 'orch/sdk/host'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'
import { needers } from './check-services.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/** Names of `orch/sdk/proposed` that plugins use and do not declare, once each. `needs` is data, so they are known before anything runs. */
export function undeclaredProposals(plugins: readonly DiscoveredPlugin[], registry: Registry): BootProblem[] {
  const used = new Map(
    plugins.map(({ definition, isolated }) => [definition.name, new Set(isolated?.proposedServices)] as const),
  )
  for (const { plugin, needs } of needers(registry))
    for (const token of Object.values(needs ?? {})) if (isProposed(token)) used.get(plugin)?.add(serviceNameOf(token))
  return plugins.flatMap(({ definition: { name: plugin, proposed: declared = [] } }) =>
    [...(used.get(plugin) ?? [])]
      .filter(name => !declared.includes(name))
      .map(name => problem('ORCH_PLUGIN_PROPOSED', { plugin, name })),
  )
}

const tokens: ReadonlySet<unknown> = new Set(Object.values(proposedServices))
/** Whether a token is one of `orch/sdk/proposed`. */
export const isProposed = (token: unknown): boolean => tokens.has(token)

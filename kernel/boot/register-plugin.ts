import { isPromise, type Vendor } from 'orch/sdk'
import { type BootProblem, errorMessage, problem } from '../contracts/boot-errors.js'
import type { FeatureGates } from '../options/feature-gates.js'
import { type OptionSources, optionsFor } from '../options/plugin-options.js'
import type { Registry } from '../registry/registry.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/** What a plugin is registered with. */
export interface RegistrationContext {
  readonly registry: Registry
  readonly vendor: Vendor
  readonly featureGates: FeatureGates
  /** Options beside those of its entry. */
  readonly sources: Omit<OptionSources, 'given'>
}

/** Registers a plugin that runs in a separate process, which takes time. `registerPlugin` then uses the result. */
export async function prepareIsolated(
  { definition, given, isolated }: DiscoveredPlugin,
  { vendor, featureGates, sources }: RegistrationContext,
): Promise<void> {
  const { options, problems } = optionsFor(definition, { ...sources, given })
  if (isolated && problems.length === 0) await isolated.prepare(vendor, options, gate => featureGates.isEnabled(gate))
}

/** Calls `register` of a plugin, unless its options are invalid: it would only fail again. */
export function registerPlugin(
  { definition, given }: DiscoveredPlugin,
  { registry, vendor, featureGates, sources }: RegistrationContext,
): { options: Record<string, unknown>; problems: BootProblem[] } {
  const { name: plugin } = definition
  const { options, problems } = optionsFor(definition, { ...sources, given })
  if (problems.length > 0) return { options, problems }
  try {
    const returned: unknown = definition.register(registry.registrarFor(plugin), {
      vendor,
      options,
      isEnabled: gate => Object.hasOwn(definition.gates ?? {}, gate) && featureGates.isEnabled(gate),
    })
    if (!isPromise(returned)) return { options, problems }
    returned.catch(() => {})
    return { options, problems: [problem('ORCH_PLUGIN_REGISTER_ASYNC', { plugin })] }
  } catch (thrown) {
    const why = errorMessage(thrown)
    return { options, problems: [problem('ORCH_PLUGIN_REGISTER_FAILED', { plugin, why }, thrown)] }
  }
}

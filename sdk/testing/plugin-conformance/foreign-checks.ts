import type { Check } from './check.js'
import type { PluginUnderTest } from './plugin-under-test.js'
import type { ProbeServer } from './probe-server.js'
import { leavesNothing } from './request-checks.js'
import { resourceName } from './type-checks.js'

/** Samples of other plugins' types: sent so that the admission controls of this one see them. */
export function foreignChecks({ name, registry, samples }: PluginUnderTest, probe: ProbeServer): Check[] {
  return Object.entries(samples.samples ?? {}).flatMap(([key, sample]): Check[] => {
    const found = registry.resources.find(({ definition }) => resourceName(definition) === key)
    if (found?.plugin === name) return []
    return [
      {
        subject: `samples of ${key}`,
        title: 'can be created, changed and deleted, and dry runs have no effect',
        async run() {
          if (!found) throw new Error(`no plugin provides ${key}. Keys of samples are \`resource.group\``)
          await leavesNothing(found.definition, probe, sample)
        },
      },
    ]
  })
}

import { fileURLToPath } from 'node:url'
import type { OrchConfig } from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'

/** Files that the configuration of controls names. */
export const fixtures = fileURLToPath(new URL('../../../../test/golden/fixtures', import.meta.url))

/** The plugins of a config that lists plain definitions. */
export const definitionsIn = ({ plugins }: OrchConfig): PluginDefinition[] =>
  plugins.map(entry => {
    if (typeof entry === 'string' || !('definition' in entry)) throw new Error('a plugin that is named, not listed')
    return entry.definition
  })

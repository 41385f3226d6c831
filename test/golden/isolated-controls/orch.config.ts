import { fileURLToPath } from 'node:url'
import { defineConfig, definePlugin } from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'
import { bootPlugins } from '../../../kernel/boot/boot-plugins.js'
import firstParty from '../../../orch.config.js'
import { definitionsIn } from './first-party.js'

/**
 * The default plugins, except that all their admission controls run in a separate process (./controls.ts) with the same
 * options, which come from the command line of this server.
 */
const [, , , ...flags] = process.argv
const booted = await bootPlugins({ config: firstParty, flags })
const definitions = definitionsIn(firstParty)
const gates = definitions.flatMap(definition => Object.keys(definition.gates ?? {}))

const withoutControls = (definition: PluginDefinition) =>
  definePlugin({
    ...definition,
    register: (to, context) => definition.register({ ...to, admission: () => {} }, context),
  })

export default defineConfig({
  plugins: [
    ...definitions.map(withoutControls),
    {
      plugin: fileURLToPath(new URL('controls.js', import.meta.url)),
      // The result must not depend on the load of the machine.
      isolation: { grade: 'worker', callTimeoutMs: 60_000, startTimeoutMs: 120_000, memoryMegabytes: 1_024 },
      options: {
        optionsByPlugin: Object.fromEntries(definitions.map(({ name }) => [name, booted.optionsOf(name)])),
        enabledGates: gates.filter(gate => booted.featureGates.isEnabled(gate)),
      },
    },
  ],
})

import { join } from 'node:path'
import type { PluginEntry } from 'orch/sdk'
import { bootPlugins } from '../boot/boot-plugins.js'
import { compiledRoot, loadModule } from '../boot/load-module.js'
import { BootError, type BootProblem, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'

/** Commands of the plugins that orch.commands.ts lists: the binary always has them, whatever the config lists. */
export async function ownCommands(): Promise<Registry['commands']> {
  const loaded = await loadModule(join(compiledRoot, 'orch.commands.js'), compiledRoot)
  const { commandPlugins } = loaded as { commandPlugins: readonly PluginEntry[] }
  const { registry, problems } = await bootPlugins({ config: { plugins: commandPlugins } })
  if (problems.length > 0) throw new BootError(problems)
  return registry.commands
}

/** Plugins of the config with a command of the same name, which could never run. Listing the same plugin is harmless. */
export async function commandProblems(registry: Registry): Promise<BootProblem[]> {
  if (registry.commands.length === 0) return []
  const own = new Map((await ownCommands()).map(({ plugin, definition }) => [definition.name, plugin]))
  return registry.commands.flatMap(({ plugin, definition: { name } }) => {
    const first = own.get(name)
    return first === undefined || first === plugin ? [] : [problem('ORCH_COMMAND_DUPLICATE', { plugin, first, name })]
  })
}

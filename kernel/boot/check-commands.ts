import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { kernelName } from '../options/kernel-options.js'
import type { Registry } from '../registry/registry.js'

/** Commands of the binary itself; they would always win over a plugin's. */
export const builtInCommandNames = ['serve', 'controllers', 'plugins', 'certs', 'version', 'help'] as const

/** Plugins that take the name of a built-in command. */
export function checkCommands(registry: Registry): BootProblem[] {
  const isBuiltIn = (name: string) => (builtInCommandNames as readonly string[]).includes(name)
  return registry.commands
    .filter(({ definition }) => isBuiltIn(definition.name))
    .map(({ plugin, definition }) =>
      problem('ORCH_COMMAND_DUPLICATE', { plugin, first: kernelName, name: definition.name }),
    )
}

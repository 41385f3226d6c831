import { type BootedPlugins, bootPlugins } from '../boot/boot-plugins.js'
import { type LoadedConfig, loadConfig } from '../boot/load-config.js'
import { BootError } from '../contracts/boot-errors.js'
import type { OptionOwner } from '../options/option-declarations.js'
import { peekFlag } from '../options/parse-flags.js'
import type { CommandLine } from './command-line.js'
import { commandProblems } from './own-commands.js'

export interface BootedFromWords extends BootedPlugins {
  readonly loaded: LoadedConfig
}

/** Loads the config that the arguments name and boots its plugins up to the sealed registry. */
export async function bootFromArgv(
  line: CommandLine,
  flags: readonly string[] = line.words,
  command?: OptionOwner,
): Promise<BootedFromWords> {
  const loaded = await loadConfig(peekFlag(flags, 'config'), line.workingDir)
  const booted = await bootPlugins({
    config: loaded.config,
    configDir: loaded.dir,
    flags,
    ...(command ? { command } : {}),
  })
  return { ...booted, loaded, problems: [...booted.problems, ...(await commandProblems(booted.registry))] }
}

/** The same, but throws if the boot has problems. */
export async function bootOrThrow(
  line: CommandLine,
  flags?: readonly string[],
  command?: OptionOwner,
): Promise<BootedFromWords> {
  const booted = await bootFromArgv(line, flags, command)
  if (booted.problems.length > 0) throw new BootError(booted.problems)
  return booted
}

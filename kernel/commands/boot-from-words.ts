import { BootError } from '../boot/boot-errors.js'
import { type BootedPlugins, bootPlugins } from '../boot/boot-plugins.js'
import { type LoadedConfig, loadConfig } from '../boot/load-config.js'
import type { OptionOwner } from '../boot/option-declarations.js'
import { peekFlag } from '../boot/parse-flags.js'
import type { CommandLine } from './command-line.js'

export interface BootedFromWords extends BootedPlugins {
  readonly loaded: LoadedConfig
}

/** Loads the config that the words name and boots its plugins up to the sealed registry. */
export async function bootFromWords(
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
  return { ...booted, loaded }
}

/** The same, for commands that can do nothing with a boot that has problems. */
export async function bootOrThrow(
  line: CommandLine,
  flags?: readonly string[],
  command?: OptionOwner,
): Promise<BootedFromWords> {
  const booted = await bootFromWords(line, flags, command)
  if (booted.problems.length > 0) throw new BootError(booted.problems)
  return booted
}

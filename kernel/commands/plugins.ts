import { bootOrThrow } from './boot-from-words.js'
import type { Command } from './command-line.js'
import { describePlugins } from './describe-plugins.js'

/** `orch plugins`: what a server with these flags would run. */
export const pluginsCommand: Command = {
  name: 'plugins',
  usage: 'plugins [flags]',
  summary: 'Show what is enabled, what each plugin contributes and the admission chain.',
  async run(line) {
    const booted = await bootOrThrow(line)
    const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled } = booted.kernelOptions
    const chain = booted.registry.admissions.filter(
      ({ definition: { name, enabledByDefault = true } }) =>
        !disabled.includes(name) && (enabledByDefault || enabled.includes(name)),
    )
    line.out(describePlugins(booted, chain))
    return 0
  },
}

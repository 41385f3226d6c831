import { orderChain } from '../admission/chain-order.js'
import { bootOrThrow } from './boot-from-argv.js'
import { contextOf } from './command-host.js'
import type { Command } from './command-line.js'
import { describePlugins } from './describe-plugins.js'

/**
 * `orch plugins`: the plugins that a server with these flags would run. Commands of plugins that are named `plugins SOMETHING` run
 * after it, with the same flags: they list plugins that are not in the config.
 */
export const pluginsCommand: Command = {
  name: 'plugins',
  usage: 'plugins [flags]',
  summary: 'Show what is enabled, what each plugin contributes and the admission chain.',
  async run(line) {
    const booted = await bootOrThrow(line)
    line.out(describePlugins(booted, orderChain(booted.registry.admissions, booted.kernelOptions)))
    for (const { definition } of booted.registry.commands) {
      if (!definition.name.startsWith('plugins ')) continue
      const code = await definition.run(line.words, contextOf(line))
      if (code !== 0) return code
    }
    return 0
  },
}

import { orderChain } from '../admission/chain-order.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command } from './command-line.js'
import { describePlugins } from './describe-plugins.js'

/** `orch plugins`: what a server with these flags would run. */
export const pluginsCommand: Command = {
  name: 'plugins',
  usage: 'plugins [flags]',
  summary: 'Show what is enabled, what each plugin contributes and the admission chain.',
  async run(line) {
    const booted = await bootOrThrow(line)
    line.out(describePlugins(booted, orderChain(booted.registry.admissions, booted.kernelOptions)))
    return 0
  },
}

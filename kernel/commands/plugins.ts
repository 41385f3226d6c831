import { orderChain } from '../admission/chain-order.js'
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
    const { enableAdmissionPlugins, disableAdmissionPlugins } = booted.kernelOptions
    const chain = orderChain(booted.registry.admissions, enableAdmissionPlugins, disableAdmissionPlugins)
    line.out(describePlugins(booted, chain))
    return 0
  },
}

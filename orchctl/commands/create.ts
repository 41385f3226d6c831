import { fileFlags } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { readManifests } from '../objects/read-manifests.js'
import { UsageError } from '../usage-error.js'
import { createFlags, createObjects } from './create/create-objects.js'

export const create: Command = {
  name: 'create',
  summary: 'Create the objects of files; those that exist already are failures.',
  usage: '-f FILE [flags]',
  examples: [
    ['From a file, or a folder of files', 'create -f settings.yaml'],
    ['From standard input', 'create -f -'],
    ['Check what the server would make of it', 'create -f settings.yaml --dry-run -o yaml'],
  ],
  flags: [...fileFlags, ...createFlags],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal, args } = call
    if (args.length > 0)
      throw new UsageError(
        `create reads files (-f FILE) or makes what \`orchctl help\` lists, such as a configmap, not "${args[0]}"`,
      )
    return createObjects(call, await readManifests(flags, terminal))
  },
}

import type { Command } from '../../command.js'
import { createFlags, createNamed } from './create-objects.js'

export const createNamespace: Command = {
  name: 'create namespace',
  aliases: ['create ns'],
  summary: 'Create a namespace.',
  usage: 'NAME [flags]',
  examples: [['A place for the objects of one team', 'create namespace web']],
  flags: createFlags,
  completes: 'nothing',
  run: call => createNamed(call, 'Namespace'),
}

import type { Command } from '../../command.js'
import { createFlags, createNamed } from './create-objects.js'

export const createServiceAccount: Command = {
  name: 'create serviceaccount',
  aliases: ['create sa'],
  summary: 'Create a service account: who a program is.',
  usage: 'NAME [flags]',
  examples: [['Then ask for a token of it', 'create serviceaccount builder']],
  flags: createFlags,
  completes: 'nothing',
  run: call => createNamed(call, 'ServiceAccount'),
}

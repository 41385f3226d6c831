import type { Command } from '../command.js'
import { sharedFlagsHelp } from '../help.js'

export const options: Command = {
  name: 'options',
  summary: 'List the flags of every command.',
  usage: '',
  examples: [['What can be given to any command', 'options']],
  flags: [],
  completes: 'nothing',
  async run({ terminal }) {
    terminal.write(sharedFlagsHelp())
  },
}

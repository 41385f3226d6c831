import type { Command } from '../../command.js'
import { candidatesFor } from './candidates.js'

/** Called by the completion scripts. `all` is a function because this command is one of them. */
export const complete = (all: () => readonly Command[]): Command => ({
  name: '__complete',
  summary: 'Candidates for the last argument of a command line.',
  usage: '-- WORD...',
  examples: [['What can follow', '__complete -- get conf']],
  flags: [],
  hidden: true,
  completes: 'nothing',
  async run({ args, terminal, version }) {
    // Windows PowerShell drops empty arguments, so its script sends a pair of quotes instead.
    const last = args.at(-1) ?? ''
    const current = last === '""' ? '' : last
    const found = await candidatesFor(args.slice(0, -1), current, all(), terminal, version)
    for (const word of [...new Set(found)].filter(one => one.startsWith(current)).sort()) terminal.write(`${word}\n`)
  },
})

import type { Command } from '../../command.js'
import { candidatesFor } from './candidates.js'

/** What the completion scripts call. `all` is a function, since this command is one of them. */
export const complete = (all: () => readonly Command[]): Command => ({
  name: '__complete',
  summary: 'Candidates for the last word of a command line.',
  usage: '-- WORD...',
  examples: [['What can follow', '__complete -- get conf']],
  flags: [],
  hidden: true,
  completes: 'nothing',
  async run({ words, world, version }) {
    const current = words.at(-1) ?? ''
    const found = await candidatesFor(words.slice(0, -1), current, all(), world, version)
    for (const word of [...new Set(found)].filter(one => one.startsWith(current)).sort()) world.write(`${word}\n`)
  },
})

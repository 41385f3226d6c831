import type { Command } from '../command.js'
import { changeEntries, changeFlags } from './metadata/change-entries.js'

export const annotate: Command = {
  name: 'annotate',
  summary: 'Set and remove annotations.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all) KEY=VALUE... KEY-... [flags]',
  examples: [
    ['Set an annotation', "annotate pod web-1 note='do not touch'"],
    ['Change one that is set', 'annotate pod web-1 note=fine --overwrite'],
    ['Remove it', 'annotate pod web-1 note-'],
  ],
  flags: changeFlags,
  run: call =>
    changeEntries(call, {
      field: 'annotations',
      entry: 'annotation',
      done: 'annotated',
      removed: 'annotation removed',
    }),
}

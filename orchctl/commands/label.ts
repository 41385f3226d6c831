import type { Command } from '../command.js'
import { changeEntries, changeFlags } from './metadata/change-entries.js'

export const label: Command = {
  name: 'label',
  summary: 'Set and remove labels.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all) KEY=VALUE... KEY-... [flags]',
  examples: [
    ['Set a label', 'label pod web-1 tier=front'],
    ['Change one that is set', 'label pod web-1 tier=back --overwrite'],
    ['Remove it', 'label pod web-1 tier-'],
    ['On all selected objects', 'label pods -l app=web stage=test'],
  ],
  flags: changeFlags,
  run: call => changeEntries(call, { field: 'labels', entry: 'label', done: 'labeled', removed: 'unlabeled' }),
}

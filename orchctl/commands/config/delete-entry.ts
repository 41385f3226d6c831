import type { Command } from '../../command.js'
import { changeConfigFile, fileToChange, indexOfEntry } from '../../session/config-file-changes.js'
import { UsageError } from '../../usage-error.js'

const deleteEntry = (noun: string, list: string, completes: 'contexts' | 'nothing'): Command => ({
  name: `config delete-${noun}`,
  summary: `Remove a ${noun} from the client config.`,
  usage: 'NAME',
  examples: [['Nothing else changes', `config delete-${noun} old`]],
  flags: [],
  completes,
  async run(call) {
    const [name, ...more] = call.args
    if (name === undefined || more.length > 0)
      throw new UsageError(`name one ${noun}: orchctl config delete-${noun} NAME`)
    const path = fileToChange(call, document => indexOfEntry(document, list, name) >= 0)
    changeConfigFile(path, document => {
      const index = indexOfEntry(document, list, name)
      if (index < 0) throw new UsageError(`there is no ${noun} "${name}" in ${path}`)
      document.deleteIn([list, index])
    })
    call.terminal.write(`Deleted ${noun} "${name}" from ${path}.\n`)
  },
})

export const deleteContext = deleteEntry('context', 'contexts', 'contexts')
export const deleteCluster = deleteEntry('cluster', 'clusters', 'nothing')
export const deleteUser = deleteEntry('user', 'users', 'nothing')

import { basename } from 'node:path'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { allPlugins } from '../plugins/find-plugin.js'

export const pluginList = (all: () => readonly Command[]): Command => ({
  name: 'plugin list',
  summary: 'List plugins: programs in the path whose names begin with orchctl-.',
  usage: '[--name-only]',
  examples: [
    ['`orchctl hello` runs the program orchctl-hello', 'plugin list'],
    ['Only their names', 'plugin list --name-only'],
  ],
  flags: [{ name: 'name-only', kind: 'switch', description: 'only the names, without folders' }],
  completes: 'nothing',
  async run({ flags, terminal }) {
    const plugins = allPlugins(terminal.environment)
    if (plugins.length === 0) {
      terminal.log('error: there are no plugins in the folders of the PATH')
      return exitCodes.failed
    }
    const builtIn = new Set(all().map(({ name }) => name.split(' ')[0]))
    let problems = 0
    for (const { path, name, problem } of plugins) {
      terminal.write(`${flags.is('name-only') ? basename(path) : path}\n`)
      const word = name.split('-')[1] ?? ''
      const why = problem ?? (builtIn.has(word) ? `the built-in command "${word}" takes precedence` : undefined)
      if (why === undefined) continue
      problems++
      terminal.log(`  Warning: ${name} is not used: ${why}`)
    }
    return problems > 0 ? exitCodes.failed : exitCodes.done
  },
})

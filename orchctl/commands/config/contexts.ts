import { loadClientConfig } from 'orch/sdk/client'
import { outputFlag } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { formatOf } from '../../output/format.js'
import { TextTable } from '../../output/text-table.js'
import {
  changeConfigFile,
  configSource,
  fileToChange,
  indexOfEntry,
  setEntry,
} from '../../session/config-file-changes.js'
import { UsageError } from '../../usage-error.js'

export const getContexts: Command = {
  name: 'config get-contexts',
  summary: 'List the contexts of the client config.',
  usage: '[NAME] [flags]',
  examples: [
    ['All of them; the current one has a star', 'config get-contexts'],
    ['Only the names', 'config get-contexts -o name'],
  ],
  flags: [outputFlag('name'), { name: 'no-headers', kind: 'switch', description: 'leave out the header' }],
  completes: 'contexts',
  async run(call) {
    const { flags, args, terminal } = call
    const { form } = formatOf(flags, ['name'])
    const { contexts, currentContext } = await loadClientConfig(configSource(call))
    const missing = args.find(name => !contexts.has(name))
    if (missing !== undefined)
      throw new UsageError(`there is no context "${missing}"; there are ${[...contexts.keys()].join(', ')}`)
    const chosen = [...contexts].filter(([name]) => args.length === 0 || args.includes(name))
    if (form === 'name') {
      for (const [name] of chosen) terminal.write(`${name}\n`)
      return
    }
    const rows = chosen.map(([name, { cluster = '', user = '', namespace = '' }]) => [
      name === currentContext ? '*' : '',
      name,
      cluster,
      user,
      namespace,
    ])
    const table = new TextTable(['Current', 'Name', 'Cluster', 'User', 'Namespace'], terminal.paint)
    terminal.write(table.print(rows, !flags.is('no-headers')))
  },
}

export const currentContext: Command = {
  name: 'config current-context',
  summary: 'Show the current context.',
  usage: '',
  examples: [['In a prompt', 'config current-context']],
  flags: [],
  completes: 'nothing',
  async run(call) {
    const { currentContext: current } = await loadClientConfig(configSource(call))
    if (current === '')
      throw new UsageError('no current context is set; choose one with orchctl config use-context NAME')
    call.terminal.write(`${current}\n`)
  },
}

export const useContext: Command = {
  name: 'config use-context',
  summary: 'Make a context the current one.',
  usage: 'NAME',
  examples: [['For all following commands', 'config use-context test']],
  flags: [],
  completes: 'contexts',
  async run(call) {
    const [name, ...more] = call.args
    if (name === undefined || more.length > 0) throw new UsageError('name one context: orchctl config use-context NAME')
    const { contexts } = await loadClientConfig(configSource(call))
    if (!contexts.has(name))
      throw new UsageError(`there is no context "${name}"; there are ${[...contexts.keys()].join(', ') || 'none'}`)
    const path = fileToChange(call, document => Boolean(document.get('current-context')))
    changeConfigFile(path, document => document.set('current-context', name))
    call.terminal.write(`Switched to context "${name}".\n`)
  },
}

export const setContext: Command = {
  name: 'config set-context',
  summary: 'Create or change a context.',
  usage: '(NAME | --current) [--cluster NAME] [--user NAME] [--namespace NAME]',
  examples: [
    ['Change the default namespace', 'config set-context --current --namespace=web'],
    ['A new context of a cluster and a user the config has', 'config set-context test --cluster=local --user=admin'],
  ],
  flags: [{ name: 'current', kind: 'switch', description: 'change the current context' }],
  completes: 'contexts',
  async run(call) {
    const { flags, args, terminal } = call
    const config = await loadClientConfig(configSource(call))
    const [name = flags.is('current') ? config.currentContext : ''] = args
    if (name === '' || args.length > 1) throw new UsageError('name one context, or add --current')
    const changes = (['cluster', 'user', 'namespace'] as const).filter(field => flags.has(field))
    if (changes.length === 0) throw new UsageError('say what to set: --cluster, --user or --namespace')
    const path = fileToChange(call, document => indexOfEntry(document, 'contexts', name) >= 0)
    const fields = Object.fromEntries(changes.map(field => [field, flags.text(field)]))
    changeConfigFile(path, document => setEntry(document, 'contexts', name, fields))
    terminal.write(`Context "${name}" ${config.contexts.has(name) ? 'modified' : 'created'}.\n`)
  },
}

export const renameContext: Command = {
  name: 'config rename-context',
  summary: 'Rename a context.',
  usage: 'OLD NEW',
  examples: [['The current context stays current', 'config rename-context old new']],
  flags: [],
  completes: 'contexts',
  async run(call) {
    const [old, name, ...more] = call.args
    if (!old || !name || more.length > 0)
      throw new UsageError('give the old and the new name: orchctl config rename-context OLD NEW')
    const { contexts, currentContext: current } = await loadClientConfig(configSource(call))
    const path = fileToChange(call, document => indexOfEntry(document, 'contexts', old) >= 0)
    if (!contexts.has(old)) throw new UsageError(`cannot rename the context "${old}", it's not in ${path}`)
    if (contexts.has(name))
      throw new UsageError(`cannot rename the context "${old}", the context "${name}" already exists in ${path}`)
    changeConfigFile(path, document => {
      document.setIn(['contexts', indexOfEntry(document, 'contexts', old), 'name'], name)
    })
    if (current === old)
      changeConfigFile(
        fileToChange(call, document => document.get('current-context') === old),
        document => document.set('current-context', name),
      )
    call.terminal.write(`Context "${old}" renamed to "${name}".\n`)
  },
}

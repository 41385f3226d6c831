import { readFileSync } from 'node:fs'
import { loadClientConfig } from 'orch/sdk/client'
import { type Document, parseDocument } from 'yaml'
import type { Call, Command } from '../../command.js'
import { TextTable } from '../../output/text-table.js'
import { changeConfigFile, configSource, fileToChange, indexOfEntry } from '../../session/config-file-changes.js'
import { UsageError } from '../../usage-error.js'

const listEntries = (noun: 'cluster' | 'user', of: 'clusters' | 'users'): Command => ({
  name: `config get-${of}`,
  summary: `List the ${of} of the client config.`,
  usage: '',
  examples: [['Their names', `config get-${of}`]],
  flags: [],
  completes: 'nothing',
  async run(call) {
    const names = [...(await loadClientConfig(configSource(call)))[of].keys()].sort()
    if (names.length === 0) return call.terminal.log(`There is no ${noun} in the client config.`)
    call.terminal.write(
      new TextTable(['Name'], call.terminal.paint).print(
        names.map(name => [name]),
        true,
      ),
    )
  },
})
export const getClusters = listEntries('cluster', 'clusters')
export const getUsers = listEntries('user', 'users')

const lists: Readonly<Record<string, string>> = { clusters: 'cluster', contexts: 'context', users: 'user' }

/** `clusters.a.server` as a path in the document; names of entries may contain dots. The index is -1 if there is no such entry. */
function pathIn(document: Document, property: string): (string | number)[] {
  const [list = '', ...rest] = property.split('.')
  const field = lists[list]
  if (field === undefined) return property.split('.')
  for (let count = rest.length; count > 0; count--) {
    const index = indexOfEntry(document, list, rest.slice(0, count).join('.'))
    if (index >= 0) return count === rest.length ? [list, index] : [list, index, field, rest.slice(count).join('.')]
  }
  const [name = '', ...below] = rest
  if (name === '') throw new UsageError(`"${property}" names no ${field}; write ${list}.NAME.FIELD`)
  return [list, -1, name, ...(below.length > 0 ? [below.join('.')] : [])]
}

const hasProperty = (document: Document, property: string) => pathIn(document, property)[1] !== -1

/** The file with the property. */
const fileWith = (call: Call, property: string) => fileToChange(call, document => hasProperty(document, property))

export const configSet: Command = {
  name: 'config set',
  summary: 'Set a property of the client config.',
  usage: 'PROPERTY VALUE [flags]',
  examples: [
    ['The address of a cluster', 'config set clusters.local.server https://127.0.0.1:6443'],
    [
      'Contents of a file, which are stored as base64',
      'config set users.jane.client-key-data "$(cat jane.key)" --set-raw-bytes',
    ],
  ],
  flags: [
    {
      name: 'set-raw-bytes',
      kind: 'switch',
      description: 'the value of a -data property is raw text, which is stored as base64',
    },
  ],
  completes: 'nothing',
  async run(call) {
    const [property, value, ...more] = call.args
    if (property === undefined || value === undefined || more.length > 0)
      throw new UsageError('name a property and its value: orchctl config set clusters.local.server URL')
    const encoded =
      property.endsWith('-data') && call.flags.is('set-raw-bytes') ? Buffer.from(value).toString('base64') : value
    changeConfigFile(fileWith(call, property), document => {
      const path = pathIn(document, property)
      if (path[1] === -1) {
        const [list, , name = '', field] = path as [string, number, string, string?]
        if (field === undefined) throw new UsageError(`"${property}" names no field`)
        if (document.get(list) === undefined || document.get(list) === null) document.set(list, document.createNode([]))
        document.addIn([list], document.createNode({ name, [lists[list] ?? '']: { [field]: typed(encoded) } }))
      } else document.setIn(path, typed(encoded))
    })
    call.terminal.write(`Property "${property}" set.\n`)
  },
}

const typed = (text: string): string | boolean => (text === 'true' ? true : text === 'false' ? false : text)

export const configUnset: Command = {
  name: 'config unset',
  summary: 'Remove a property of the client config.',
  usage: 'PROPERTY',
  examples: [
    ['The current context', 'config unset current-context'],
    ['The namespace of a context', 'config unset contexts.test.namespace'],
  ],
  flags: [],
  completes: 'nothing',
  async run(call) {
    const [property, ...more] = call.args
    if (property === undefined || more.length > 0)
      throw new UsageError('name one property: orchctl config unset current-context')
    const file = fileWith(call, property)
    const document = parseDocument(readFileSync(file, 'utf8'))
    const path = pathIn(document, property)
    if (path[1] === -1 || document.getIn(path) === undefined)
      throw new UsageError(`the client config has no property "${property}"`)
    changeConfigFile(file, changed => changed.deleteIn(path))
    call.terminal.write(`Property "${property}" unset.\n`)
  },
}

import { apiVersionOf, type KindInfo } from 'orch/sdk/client'
import { outputFlag, showManagedFieldsFlag, templateFlags } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { preferred } from '../objects/targets.js'
import { formatOf } from '../output/format.js'
import { TextTable } from '../output/text-table.js'
import { yamlText } from '../output/yaml-text.js'

/** The core group, which has no name, comes first. */
const compareText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)

export const apiResources: Command = {
  name: 'api-resources',
  summary: 'List the types that the server serves.',
  usage: '[flags]',
  examples: [
    ['All types', 'api-resources'],
    ['With their verbs and categories', 'api-resources -o wide'],
    ['Types of one group that belong to no namespace', 'api-resources --api-group=apps --namespaced=false'],
    ['Names to use in scripts', 'api-resources --verbs=list,watch -o name'],
  ],
  flags: [
    outputFlag('wide, name, yaml, json'),
    ...templateFlags,
    showManagedFieldsFlag,
    { name: 'api-group', kind: 'text', value: 'GROUP', description: 'only this group; empty for the core group' },
    { name: 'namespaced', kind: 'switch', description: 'only types that belong to a namespace (=false: that do not)' },
    { name: 'verbs', kind: 'text', value: 'VERBS', description: 'only types with all these verbs: list,watch' },
    { name: 'categories', kind: 'text', value: 'NAMES', description: 'only types of all these categories: all' },
    {
      name: 'sort-by',
      kind: 'text',
      value: 'WHAT',
      description: 'name or kind; by group and name by default',
      choices: ['name', 'kind'],
    },
    { name: 'no-headers', kind: 'switch', description: 'leave out the header' },
  ],
  completes: 'nothing',
  async run({ flags, terminal, session }) {
    const { form } = formatOf(flags, ['wide', 'name', 'yaml', 'json'])
    const verbs = (flags.text('verbs') ?? '').split(',').filter(verb => verb !== '')
    const sortKey = flags.choice('sort-by', ['name', 'kind'])
    const kinds = await (await session()).kinds()
    const chosen = preferred(kinds)
      .filter(
        kind =>
          (!flags.has('api-group') || kind.group === flags.text('api-group')) &&
          (!flags.has('namespaced') || kind.namespaced === flags.is('namespaced')) &&
          verbs.every(verb => kind.verbs.includes(verb)) &&
          flags.items('categories').every(category => kind.categories.includes(category)),
      )
      .sort((left, right) =>
        sortKey === 'kind'
          ? compareText(left.kind, right.kind)
          : (sortKey === 'name' ? 0 : compareText(left.group, right.group)) ||
            compareText(left.resource, right.resource),
      )
    if (form === 'name') {
      for (const { resource, group } of chosen) terminal.write(`${group === '' ? resource : `${resource}.${group}`}\n`)
    } else if (form === 'yaml' || form === 'json') {
      const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources: chosen.map(resourceOf) }
      terminal.write(form === 'json' ? `${JSON.stringify(list, undefined, 4)}\n` : yamlText(list))
    } else {
      const wide = form === 'wide'
      const header = [
        'Name',
        'ShortNames',
        'ApiVersion',
        'Namespaced',
        'Kind',
        ...(wide ? ['Verbs', 'Categories'] : []),
      ]
      const rows = chosen.map(kind => [
        kind.resource,
        kind.shortNames.join(','),
        apiVersionOf(kind),
        String(kind.namespaced),
        kind.kind,
        ...(wide ? [kind.verbs.join(','), kind.categories.join(',')] : []),
      ])
      terminal.write(new TextTable(header, terminal.paint).print(rows, !flags.is('no-headers')))
    }
    if (kinds.unavailable.length === 0) return
    terminal.log(`error: these groups did not answer: ${kinds.unavailable.join(', ')}`)
    return 1
  },
}

const resourceOf = (kind: KindInfo) => ({
  name: kind.resource,
  singularName: kind.singular,
  namespaced: kind.namespaced,
  ...(kind.group === '' ? {} : { group: kind.group }),
  version: kind.version,
  kind: kind.kind,
  verbs: kind.verbs,
  ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
  ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
})

import { apiVersionOf } from 'orch/sdk/client'
import { outputFlag } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { preferred } from '../objects/targets.js'
import { readFormat } from '../output/format.js'
import { TextTable } from '../output/text-table.js'

/** The core group, which has no name, comes first. */
const inOrder = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)

export const apiResources: Command = {
  name: 'api-resources',
  summary: 'List the types the server serves.',
  usage: '[flags]',
  examples: [
    ['All types', 'api-resources'],
    ['With their verbs and categories', 'api-resources -o wide'],
    ['Types of one group that belong to no namespace', 'api-resources --api-group=apps --namespaced=false'],
    ['Names to use in scripts', 'api-resources --verbs=list,watch -o name'],
  ],
  flags: [
    outputFlag('wide, name'),
    { name: 'api-group', kind: 'text', value: 'GROUP', description: 'only this group; empty for the core group' },
    { name: 'namespaced', kind: 'switch', description: 'only types that belong to a namespace (=false: that do not)' },
    { name: 'verbs', kind: 'text', value: 'VERBS', description: 'only types with all these verbs: list,watch' },
    { name: 'no-headers', kind: 'switch', description: 'leave out the header' },
  ],
  completes: 'nothing',
  async run({ flags, terminal, session }) {
    const { form } = readFormat(flags.text('output'), ['wide', 'name'])
    const verbs = (flags.text('verbs') ?? '').split(',').filter(verb => verb !== '')
    const kinds = await (await session()).kinds()
    const chosen = preferred(kinds)
      .filter(
        kind =>
          (!flags.has('api-group') || kind.group === flags.text('api-group')) &&
          (!flags.has('namespaced') || kind.namespaced === flags.is('namespaced')) &&
          verbs.every(verb => kind.verbs.includes(verb)),
      )
      .sort((left, right) => inOrder(left.group, right.group) || inOrder(left.resource, right.resource))
    if (form === 'name') {
      for (const { resource, group } of chosen) terminal.write(`${group === '' ? resource : `${resource}.${group}`}\n`)
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

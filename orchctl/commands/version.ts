import { outputFlag } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { formatOf } from '../output/format.js'
import { yamlText } from '../output/yaml-text.js'

export const version: Command = {
  name: 'version',
  summary: 'Show the versions of this program and of the server.',
  usage: '[--client]',
  examples: [
    ['Both versions', 'version'],
    ['Only of this program, without a server', 'version --client'],
  ],
  flags: [
    outputFlag('yaml, json'),
    { name: 'client', kind: 'switch', description: 'only the version of this program' },
  ],
  completes: 'nothing',
  async run({ flags, terminal, session, version: own }) {
    const { form } = formatOf(flags, ['yaml', 'json'])
    const server = flags.is('client')
      ? undefined
      : await (await session()).client.request<{ gitVersion?: string }>({
          method: 'GET',
          path: '/version',
          headers: {},
        })
    const answer = {
      clientVersion: { gitVersion: `v${own}` },
      ...(server === undefined ? {} : { serverVersion: server }),
    }
    if (form === 'json') terminal.write(`${JSON.stringify(answer, undefined, 2)}\n`)
    else if (form === 'yaml') terminal.write(yamlText(answer))
    else {
      terminal.write(`Client version: v${own}\n`)
      if (server !== undefined) terminal.write(`Server version: ${server.gitVersion ?? 'unknown'}\n`)
    }
  },
}

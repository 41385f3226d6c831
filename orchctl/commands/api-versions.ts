import type { Command } from '../command.js'

interface Groups {
  readonly groups?: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[]
}

export const apiVersions: Command = {
  name: 'api-versions',
  summary: 'List the group versions that the server serves.',
  usage: '',
  examples: [['As group/version, one per line', 'api-versions']],
  flags: [],
  completes: 'nothing',
  async run({ terminal, session }) {
    const { client } = await session()
    const core = await client.request<{ versions?: string[] }>({ method: 'GET', path: '/api', headers: {} })
    const { groups = [] } = await client.request<Groups>({ method: 'GET', path: '/apis', headers: {} })
    const all = [...(core.versions ?? []), ...groups.flatMap(group => group.versions.map(one => one.groupVersion))]
    for (const one of all.sort()) terminal.write(`${one}\n`)
  },
}

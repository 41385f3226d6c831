import type { CommandContext, Vendor } from 'orch/sdk'
import { bodiesOf } from 'orch/sdk/host'
import { pluginCollection } from './plugins/resource.js'
import type { Plugin } from './plugins/schema.js'

/** `orch plugins` shows these plugins after those of the config. The store is read, so that no server has to run. */
export const installedCommand = (vendor: Vendor) => ({
  name: 'plugins installed',
  summary: 'Show the plugins that objects of the type Plugin install; part of orch plugins.',
  async run(flags: readonly string[], { host, out, err }: CommandContext): Promise<number> {
    const { group, resource } = pluginCollection(vendor)
    let found: readonly Plugin[]
    try {
      found = await host.withStore(flags, { what: 'orch plugins', role: 'reader' }, async ({ store }) => {
        const objects: Plugin[] = []
        const page = await store.list({ prefix: `${group}/${resource}/` })
        for await (const chunk of page.items)
          for (const body of bodiesOf(chunk)) objects.push(JSON.parse(body.toString('utf8')))
        return objects
      })
    } catch (error) {
      err(`orch: plugins installed through the API are not shown: ${error instanceof Error ? error.message : error}\n`)
      return 0
    }
    out(`installed through the API${found.length === 0 ? ': none' : ''}\n`)
    for (const plugin of found) out(describe(plugin))
    return 0
  },
})

function describe({ metadata, spec, status }: Plugin): string {
  const states = (status?.conditions ?? []).map(({ type, status: state, reason }) => `${type} ${state} (${reason})`)
  const facts: Readonly<Record<string, readonly (string | undefined)[]>> = {
    package: [spec?.package],
    version: [status?.version],
    enabled: [spec?.enabled === false ? 'no' : undefined],
    isolation: [status?.isolation ?? spec?.isolation],
    contributes: status?.contributes ?? [],
    permissions: status?.permissions ?? [],
    conditions: states,
    'last error': [status?.lastError?.message],
  }
  const lines = Object.entries(facts).flatMap(([name, values]) => {
    const text = values.filter(Boolean).join(', ')
    return text === '' ? [] : [`    ${name.padEnd(13)}${text}\n`]
  })
  return `  ${metadata?.name ?? ''}\n${lines.join('')}`
}

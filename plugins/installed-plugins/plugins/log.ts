import { type ConnectSubresource, field, Int32, Struct } from 'orch/sdk'
import { pluginHost } from 'orch/sdk/proposed'
import type { Plugin } from './schema.js'

const PluginLogOptions = Struct(
  'plugins.v1alpha1.PluginLogOptions',
  { tailLines: field(1, Int32(), 'Return only this many lines from the end of the log.') },
  { description: 'Selects a part of the log.' },
)

const needs = { host: pluginHost }

/** The last lines that the plugin of an object logged in the process that serves the request. */
export const log: ConnectSubresource<typeof needs> = {
  needs,
  kind: 'connect',
  objectKind: 'Plugin',
  schema: PluginLogOptions,
  verbs: ['get'],
  reads: true,
  async connect({ target, options }, { host }) {
    const { status }: Plugin = target
    const lines = status?.plugin === undefined ? [] : host.logOf(status.plugin)
    const tail = Number(options['tailLines'] || lines.length)
    return { body: textOf(lines.slice(-tail)) }
  },
}

async function* textOf(lines: readonly string[]): AsyncGenerator<string> {
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}

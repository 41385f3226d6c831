import { type ConnectSubresource, Struct, type TObject } from 'orch/sdk'
import { pluginHost } from 'orch/sdk/proposed'
import type { Plugin } from './schema.js'

const PluginOptionsQuery = Struct('plugins.v1alpha1.PluginOptionsQuery', {}, { description: 'Empty.' })

const needs = { host: pluginHost }

/** The JSON schema of the options of the loaded version, for forms and validation in clients. Empty if none is loaded. */
export const options: ConnectSubresource<typeof needs> = {
  needs,
  kind: 'connect',
  objectKind: 'Plugin',
  schema: PluginOptionsQuery,
  verbs: ['get'],
  reads: true,
  async connect({ target }, { host }) {
    const { status }: Plugin = target
    const schema = status?.plugin === undefined ? undefined : host.find(status.plugin)?.options
    return { contentType: 'application/json', body: textOf(JSON.stringify(schema ? asGiven(schema) : {})) }
  },
}

/** The schema for input: options with a default are not required. */
function asGiven(schema: TObject): object {
  const { properties, required = [] } = schema
  const missing = required.filter(name => properties[name]?.default === undefined)
  return { ...schema, required: missing, additionalProperties: false }
}

async function* textOf(text: string): AsyncGenerator<string> {
  yield text
}

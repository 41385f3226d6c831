import { type ApiObject, isRecord } from 'orch/sdk'
import { type ClientConfig, chooseContext, clientConfigPaths, loadClientConfig } from 'orch/sdk/client'
import { outputFlag, showManagedFieldsFlag, templateFlags } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { formatOf } from '../../output/format.js'
import { ObjectPrinter } from '../../output/print-objects.js'
import { readFile } from '../../read-file.js'
import { configSource } from '../../session/config-file-changes.js'

const secrets = ['token', 'password', 'client-key-data', 'client-certificate-data', 'certificate-authority-data']

export const configView: Command = {
  name: 'config view',
  summary: 'Show the client config, merged from all files, without its secrets.',
  usage: '[flags]',
  examples: [
    ['All of it', 'config view'],
    ['Only what the current context needs', 'config view --minify'],
    ['The address of the server', "config view --minify -o jsonpath='{.clusters[0].cluster.server}'"],
  ],
  flags: [
    outputFlag('yaml, json, jsonpath=TEMPLATE, go-template=TEMPLATE'),
    ...templateFlags,
    showManagedFieldsFlag,
    {
      name: 'flatten',
      kind: 'switch',
      description: 'embed the contents of files, so that the config can be copied elsewhere',
    },
    { name: 'merge', kind: 'switch', description: 'merge all files (the default); with =false, show only the first' },
    { name: 'minify', kind: 'switch', description: 'only what the current context needs' },
    { name: 'raw', kind: 'switch', description: 'include the secrets' },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const format = formatOf(flags, ['yaml', 'json', 'jsonpath', 'jsonpath-as-json', 'go-template'])
    const config = await configOf(call)
    const whole = asFile(flags.is('minify') ? minified(config, flags.text('context')) : config)
    const flat = flags.is('flatten') ? flattened(whole) : whole
    const shown = flags.is('raw') ? flat : hidden(flat)
    const printer = new ObjectPrinter(terminal, format.form === 'table' ? { form: 'yaml', template: '' } : format)
    printer.print([{ object: shown as ApiObject }], false)
  },
}

/** The config of all files, or of the first one with `--merge=false`. */
function configOf(call: Call): Promise<ClientConfig> {
  const source = configSource(call)
  const [first] = clientConfigPaths(source)
  return loadClientConfig(call.flags.is('merge', true) ? source : { ...source, path: first })
}

/** Fields that name files, and the fields for their contents. */
const fileFields = ['certificate-authority', 'client-certificate', 'client-key']

function flattened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flattened)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      fileFields.includes(key) && typeof inner === 'string'
        ? [`${key}-data`, readFile(inner).toString('base64')]
        : [key, flattened(inner)],
    ),
  )
}

function minified(config: ClientConfig, context: string | undefined): ClientConfig {
  const chosen = chooseContext(config, { context })
  const only = <V>(map: ReadonlyMap<string, V>, name: string) => new Map([...map].filter(([key]) => key === name))
  return {
    ...config,
    currentContext: chosen.contextName,
    clusters: only(config.clusters, chosen.clusterName),
    users: only(config.users, chosen.userName),
    contexts: only(config.contexts, chosen.contextName),
  }
}

const asFile = ({ clusters, users, contexts, currentContext }: ClientConfig) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [...clusters].map(([name, cluster]) => ({ name, cluster })),
  contexts: [...contexts].map(([name, context]) => ({ name, context })),
  'current-context': currentContext,
  users: [...users].map(([name, user]) => ({ name, user })),
})

/** Settings of providers and plugins may contain secrets under any name, so all of their values are hidden. */
function hidden(value: unknown, isHiding = false): unknown {
  if (Array.isArray(value)) return value.map(item => hidden(item, isHiding))
  if (typeof value !== 'object' || value === null) return isHiding ? 'REDACTED' : value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (secrets.includes(key)) return [key, key.endsWith('-data') ? 'DATA+OMITTED' : 'REDACTED']
      const isSettings = key === 'config' && 'name' in value
      const isVariable = key === 'value' && 'name' in value
      return [key, hidden(inner, isHiding || isSettings || isVariable)]
    }),
  )
}

import { type ClientConfig, chooseContext, loadClientConfig } from 'orch/sdk/client'
import { outputFlag } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { readFormat } from '../../output/format.js'
import { fillTemplate } from '../../output/json-path-template.js'
import { paintYaml, yamlText } from '../../output/yaml-text.js'
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
    outputFlag('yaml, json, jsonpath=TEMPLATE'),
    { name: 'minify', kind: 'switch', description: 'only what the current context needs' },
    { name: 'raw', kind: 'switch', description: 'with the secrets' },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const { form, template } = readFormat(flags.text('output') ?? 'yaml', ['yaml', 'json', 'jsonpath'])
    const config = await loadClientConfig(configSource(call))
    const whole = asFile(flags.is('minify') ? minified(config, flags.text('context')) : config)
    const shown = flags.is('raw') ? whole : hidden(whole)
    if (form === 'json') terminal.write(`${JSON.stringify(shown, undefined, 4)}\n`)
    else if (form === 'jsonpath') terminal.write(fillTemplate(template, shown))
    else terminal.write(paintYaml(yamlText(shown), terminal.paint))
  },
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

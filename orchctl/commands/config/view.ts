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
    { name: 'minify', kind: 'switch', means: 'only what the current context needs' },
    { name: 'raw', kind: 'switch', means: 'with the secrets' },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, world } = call
    const { form, template } = readFormat(flags.text('output') ?? 'yaml', ['yaml', 'json', 'jsonpath'])
    const config = await loadClientConfig(configSource(call))
    const whole = asFile(flags.is('minify') ? minified(config, flags.text('context')) : config)
    const shown = flags.is('raw') ? whole : hidden(whole)
    if (form === 'json') world.write(`${JSON.stringify(shown, undefined, 4)}\n`)
    else if (form === 'jsonpath') world.write(fillTemplate(template, shown))
    else world.write(paintYaml(yamlText(shown), world.paint))
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

/** Secrets may hide in the settings of providers and plugins too, whatever they are called there. */
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

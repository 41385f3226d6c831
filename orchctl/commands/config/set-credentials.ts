import { resolve } from 'node:path'
import { loadClientConfig } from 'orch/sdk/client'
import type { Flags } from '../../arguments/flags.js'
import type { Command } from '../../command.js'
import { readFile } from '../../read-file.js'
import {
  changeConfigFile,
  configSource,
  fileToChange,
  indexOfEntry,
  setEntry,
} from '../../session/config-file-changes.js'
import { UsageError } from '../../usage-error.js'
import { pairsOf } from '../create/create-objects.js'

export const setCredentials: Command = {
  name: 'config set-credentials',
  summary: 'Create or change a user: the credentials to authenticate with.',
  usage:
    'NAME [--token TOKEN] [--client-certificate FILE --client-key FILE] [--username NAME --password TEXT] [--exec-command PROGRAM]',
  examples: [
    ['A token', 'config set-credentials builder --token="$(orchctl create token builder)"'],
    [
      'A certificate, inside the config',
      'config set-credentials jane --client-certificate=j.crt --client-key=j.key --embed-certs',
    ],
    ['A program that supplies them', 'config set-credentials jane --exec-command=login --exec-arg=--quiet'],
  ],
  flags: [
    { name: 'embed-certs', kind: 'switch', description: 'embed certificate and key in the config' },
    { name: 'username', kind: 'text', value: 'NAME', description: 'for basic authentication' },
    { name: 'password', kind: 'text', value: 'TEXT', description: 'for basic authentication' },
    { name: 'exec-command', kind: 'text', value: 'PROGRAM', description: 'a program that supplies credentials' },
    { name: 'exec-arg', kind: 'list', value: 'WORD', description: 'an argument of that program' },
    { name: 'exec-env', kind: 'list', value: 'NAME=VALUE', description: 'an environment variable of that program' },
    {
      name: 'exec-interactive-mode',
      kind: 'text',
      value: 'MODE',
      description: 'whether that program may use standard input: IfAvailable (the default), Never or Always',
      choices: ['IfAvailable', 'Never', 'Always'],
    },
    { name: 'exec-provide-cluster-info', kind: 'switch', description: 'pass cluster information to that program' },
    { name: 'auth-provider', kind: 'text', value: 'NAME', description: 'a provider of credentials: oidc' },
    { name: 'auth-provider-arg', kind: 'list', value: 'KEY=VALUE', description: 'a setting of that provider' },
    {
      name: 'exec-api-version',
      kind: 'text',
      value: 'VERSION',
      description: 'API version of its credentials; v1 of the vendor by default',
    },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, args, terminal } = call
    const [name, ...more] = args
    if (name === undefined || more.length > 0)
      throw new UsageError('name one user: orchctl config set-credentials NAME')
    const { vendor } = configSource(call)
    const fields = fieldsOf(flags, `${vendor.group('client.authentication')}/v1`)
    if (Object.keys(fields).length === 0)
      throw new UsageError('say what to set: --token, --client-certificate, --client-key, --username or --exec-command')
    const exists = (await loadClientConfig(configSource(call))).users.has(name)
    const path = fileToChange(call, document => indexOfEntry(document, 'users', name) >= 0)
    changeConfigFile(path, document => setEntry(document, 'users', name, fields))
    terminal.write(`User "${name}" ${exists ? 'modified' : 'created'}.\n`)
  },
}

function fieldsOf(flags: Flags, defaultExecVersion: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of ['token', 'username', 'password']) if (flags.has(field)) fields[field] = flags.text(field)
  for (const field of ['client-certificate', 'client-key']) {
    const path = flags.text(field)
    if (path === undefined) continue
    const embeds = flags.is('embed-certs')
    fields[field] = embeds ? undefined : resolve(path)
    fields[`${field}-data`] = embeds ? readFile(path).toString('base64') : undefined
  }
  const command = flags.text('exec-command')
  if (command !== undefined)
    fields['exec'] = {
      apiVersion: flags.text('exec-api-version') ?? defaultExecVersion,
      command,
      args: flags.list('exec-arg'),
      env: flags.list('exec-env').map(variableOf),
      interactiveMode: flags.choice('exec-interactive-mode', ['IfAvailable', 'Never', 'Always']) ?? 'IfAvailable',
      ...(flags.is('exec-provide-cluster-info') ? { provideClusterInfo: true } : {}),
    }
  const provider = flags.text('auth-provider')
  if (provider !== undefined)
    fields['auth-provider'] = { name: provider, config: pairsOf(flags.items('auth-provider-arg'), 'auth-provider-arg') }
  return fields
}

function variableOf(text: string): { name: string; value: string } {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--exec-env needs NAME=VALUE, not "${text}"`)
  return { name: text.slice(0, at), value: text.slice(at + 1) }
}

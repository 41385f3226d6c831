import { resolve } from 'node:path'
import { loadClientConfig } from 'orch/sdk/client'
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

export const setCluster: Command = {
  name: 'config set-cluster',
  summary: 'Create or change a cluster: the address of a server and the CA of its certificate.',
  usage: 'NAME [--server URL] [--certificate-authority FILE] [--embed-certs] [--tls-server-name NAME]',
  examples: [
    [
      'A server and the CA of its certificate',
      'config set-cluster local --server=https://127.0.0.1:6443 --certificate-authority=ca.crt',
    ],
    ['With the certificate inside the config', 'config set-cluster local --certificate-authority=ca.crt --embed-certs'],
  ],
  flags: [
    { name: 'embed-certs', kind: 'switch', description: 'embed the certificate in the config' },
    {
      name: 'tls-server-name',
      kind: 'text',
      value: 'NAME',
      description: 'name that the certificate of the server is verified against',
    },
    { name: 'proxy-url', kind: 'text', value: 'URL', description: 'proxy for connections to the server' },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, args, terminal } = call
    const [name, ...more] = args
    if (name === undefined || more.length > 0) throw new UsageError('name one cluster: orchctl config set-cluster NAME')
    const fields: Record<string, unknown> = {}
    for (const field of ['server', 'tls-server-name', 'proxy-url'])
      if (flags.has(field)) fields[field] = flags.text(field)
    const authority = flags.text('certificate-authority')
    if (authority !== undefined) {
      const embeds = flags.is('embed-certs')
      fields['certificate-authority'] = embeds ? undefined : resolve(authority)
      fields['certificate-authority-data'] = embeds ? readFile(authority).toString('base64') : undefined
      fields['insecure-skip-tls-verify'] = undefined
    }
    if (flags.has('insecure-skip-tls-verify')) {
      const isInsecure = flags.is('insecure-skip-tls-verify')
      fields['insecure-skip-tls-verify'] = isInsecure || undefined
      // These two are mutually exclusive; setting one removes the other.
      if (isInsecure) fields['certificate-authority'] = fields['certificate-authority-data'] = undefined
    }
    if (Object.keys(fields).length === 0)
      throw new UsageError(
        'say what to set: --server, --certificate-authority, --insecure-skip-tls-verify, --proxy-url',
      )
    const exists = (await loadClientConfig(configSource(call))).clusters.has(name)
    const path = fileToChange(call, document => indexOfEntry(document, 'clusters', name) >= 0)
    changeConfigFile(path, document => setEntry(document, 'clusters', name, fields))
    terminal.write(`Cluster "${name}" ${exists ? 'modified' : 'created'}.\n`)
  },
}

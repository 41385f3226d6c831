import type { FlagDefinition } from '../../arguments/flags.js'
import type { Call } from '../../command.js'
import { readFile } from '../../read-file.js'
import { UsageError } from '../../usage-error.js'
import { createCommand } from './create-objects.js'
import { appendHashFlag, entryFlags, readEntries } from './entries.js'

const encoded = (entries: Iterable<readonly [string, Buffer]>) =>
  Object.fromEntries([...entries].map(([key, value]) => [key, value.toString('base64')]))

export const createGenericSecret = createCommand({
  name: 'create secret generic',
  summary: 'Create a secret from values and files.',
  usage: 'NAME [--from-literal KEY=VALUE]... [--from-file [KEY=]FILE]... [flags]',
  examples: [['A password', 'create secret generic database --from-file=password=password.txt']],
  flags: [
    ...entryFlags,
    appendHashFlag,
    { name: 'type', kind: 'text', value: 'TYPE', description: 'the type of the secret' },
  ],
  build({ flags }) {
    const type = flags.text('type')
    return { kind: 'Secret', ...(type === undefined ? {} : { type }), data: encoded(readEntries(flags)) }
  },
})

export const createTlsSecret = createCommand({
  name: 'create secret tls',
  summary: 'Create a secret from a certificate and its key.',
  usage: 'NAME --cert FILE --key FILE [flags]',
  examples: [['What a TLS server needs', 'create secret tls site --cert=site.crt --key=site.key']],
  flags: [
    { name: 'cert', kind: 'text', value: 'FILE', description: 'the certificate, with its chain, in PEM' },
    { name: 'key', kind: 'text', value: 'FILE', description: 'its private key, in PEM' },
    appendHashFlag,
  ],
  async build(call) {
    const vendor = await (await call.session()).vendor()
    const data = { 'tls.crt': pemOf(call, 'cert'), 'tls.key': pemOf(call, 'key') }
    return { kind: 'Secret', type: vendor.qualify('tls'), data }
  },
})

function pemOf({ flags }: Call, name: string): string {
  const path = flags.text(name)
  if (path === undefined) throw new UsageError('a tls secret needs --cert FILE and --key FILE')
  return readFile(path).toString('base64')
}

const defaultRegistry = 'https://index.docker.io/v1/'
const registryFlags: readonly FlagDefinition[] = [
  { name: 'docker-server', kind: 'text', value: 'URL', description: `the registry (${defaultRegistry})` },
  { name: 'docker-username', kind: 'text', value: 'NAME', description: 'the user' },
  { name: 'docker-password', kind: 'text', value: 'TEXT', description: 'the password' },
  {
    name: 'docker-email',
    kind: 'text',
    value: 'ADDRESS',
    description: 'an email address, which some registries require',
  },
  {
    name: 'from-file',
    kind: 'list',
    value: '[KEY=]FILE',
    description: 'a Docker config file, instead of the other flags',
  },
]

export const createRegistrySecret = createCommand({
  name: 'create secret docker-registry',
  summary: 'Create a secret with the credentials of an image registry.',
  usage: 'NAME (--docker-username NAME --docker-password TEXT [--docker-server URL] | --from-file FILE) [flags]',
  examples: [['For a registry', 'create secret docker-registry r --docker-username=jane --docker-password=secret']],
  flags: [...registryFlags, appendHashFlag],
  async build(call) {
    const { flags } = call
    const vendor = await (await call.session()).vendor()
    const type = vendor.qualify('dockerconfigjson')
    const key = '.dockerconfigjson'
    if (flags.has('from-file')) {
      const entries = readEntries(flags)
      const [only] = entries.values()
      if (only === undefined || entries.size > 1)
        throw new UsageError('name one file: --from-file=~/.docker/config.json')
      return { kind: 'Secret', type, data: encoded([[key, only]]) }
    }
    const [username, password, email] = ['username', 'password', 'email'].map(name => flags.text(`docker-${name}`))
    if (!username || !password) throw new UsageError('--docker-username and --docker-password are required')
    const auth = Buffer.from(`${username}:${password}`).toString('base64')
    const server = flags.text('docker-server') ?? defaultRegistry
    const config = { auths: { [server]: { username, password, ...(email ? { email } : {}), auth } } }
    return { kind: 'Secret', type, data: encoded([[key, Buffer.from(JSON.stringify(config))]]) }
  },
})

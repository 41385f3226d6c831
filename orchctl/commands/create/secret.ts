import type { Call, Command } from '../../command.js'
import { readFile } from '../../read-file.js'
import { UsageError } from '../../usage-error.js'
import { createFlags, createNamed } from './create-objects.js'
import { entryFlags, readEntries } from './entries.js'

export const createSecret: Command = {
  name: 'create secret',
  summary: 'Create a secret of values and files, or of a certificate and its key.',
  usage:
    '(generic NAME [--from-literal KEY=VALUE]... [--from-file [KEY=]FILE]... | tls NAME --cert FILE --key FILE) [flags]',
  examples: [
    ['A password', 'create secret generic database --from-file=password=password.txt'],
    ['What a TLS server needs', 'create secret tls site --cert=site.crt --key=site.key'],
  ],
  flags: [
    ...entryFlags,
    { name: 'type', kind: 'text', value: 'TYPE', description: 'the type of a generic secret' },
    { name: 'cert', kind: 'text', value: 'FILE', description: 'the certificate, with its chain, in PEM' },
    { name: 'key', kind: 'text', value: 'FILE', description: 'its private key, in PEM' },
    ...createFlags,
  ],
  completes: ['generic', 'tls'],
  async run(call) {
    const [form, ...args] = call.args
    if (form === 'generic') {
      const entries = [...readEntries(call.flags)].map(([key, value]) => [key, value.toString('base64')])
      const type = call.flags.text('type')
      const fields = { kind: 'Secret', ...(type === undefined ? {} : { type }), data: Object.fromEntries(entries) }
      return createNamed(call, fields, args)
    }
    if (form !== 'tls') throw new UsageError('say which kind: orchctl create secret generic NAME, or tls NAME')
    const vendor = await (await call.session()).vendor()
    const data = { 'tls.crt': pemOf(call, 'cert'), 'tls.key': pemOf(call, 'key') }
    return createNamed(call, { kind: 'Secret', type: vendor.qualify('tls'), data }, args)
  },
}

function pemOf({ flags }: Call, name: string): string {
  const path = flags.text(name)
  if (path === undefined) throw new UsageError('a tls secret needs --cert FILE and --key FILE')
  return readFile(path).toString('base64')
}

import type { Command } from '../command.js'
import { kindNamed } from '../objects/targets.js'
import { UsageError } from '../usage-error.js'
import { describeField } from './explain/describe-field.js'
import { findSchema } from './explain/find-schema.js'

export const explain: Command = {
  name: 'explain',
  summary: 'Explain the fields of a type, as the server documents them.',
  usage: 'TYPE[.FIELD.FIELD...] [flags]',
  examples: [
    ['A type', 'explain configmaps'],
    ['A field of it', 'explain pods.spec.containers'],
    ['All fields at once', 'explain pods.spec --recursive'],
    ['In another version', 'explain widgets --api-version=acme.test/v1beta1'],
  ],
  flags: [
    { name: 'recursive', short: 'R', kind: 'switch', description: 'all fields below, without their descriptions' },
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      value: 'FORMAT',
      description: 'plaintext (the default), or plaintext-openapiv2, which older servers support, too',
      choices: ['plaintext', 'plaintext-openapiv2'],
    },
    { name: 'api-version', kind: 'text', value: 'VERSION', description: 'group/version to explain' },
  ],
  completes: 'types',
  async run({ args, flags, terminal, session }) {
    const [word, ...more] = args
    if (word === undefined || more.length > 0) throw new UsageError('name one type: orchctl explain pods.spec')
    const { client, kinds } = await session().then(async one => ({ client: one.client, kinds: await one.kinds() }))
    const [type = '', ...path] = word.split('.')
    const named = kindNamed(type, kinds)
    const version = flags.text('api-version')
    const kind = version === undefined ? named : kinds.find(named.kind, version)
    if (!kind) throw new UsageError(`the server has no ${named.kind} in version "${version}"`)
    const output = flags.choice('output', ['plaintext', 'plaintext-openapiv2'])
    const schemas = await findSchema(client, kind, output === 'plaintext-openapiv2')
    if (!schemas) throw new UsageError(`the server does not document ${kind.kind}`)
    terminal.write(describeField(kind, schemas, path, flags.is('recursive'), terminal.paint))
  },
}

import { outputFlag } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { readFormat } from '../../output/format.js'
import { yamlText } from '../../output/yaml-text.js'
import { UsageError } from '../../usage-error.js'

interface TokenRequest {
  readonly metadata?: object
  readonly status?: { readonly token?: string }
}

export const createToken: Command = {
  name: 'create token',
  summary: 'Ask for a token of a service account.',
  usage: 'SERVICE-ACCOUNT [flags]',
  examples: [
    ['For ten minutes', 'create token builder --duration=10m'],
    ['For one audience only', 'create token builder --audience=https://vault.example.com'],
    ['That ends with a pod', 'create token builder --bound-object-kind=Pod --bound-object-name=build-1'],
  ],
  flags: [
    { name: 'duration', kind: 'text', value: 'TIME', means: 'how long it shall be valid: 10m, 24h' },
    { name: 'audience', kind: 'list', value: 'NAME', means: 'who shall accept it' },
    { name: 'bound-object-kind', kind: 'text', value: 'KIND', means: 'Pod or Secret: the token ends with it' },
    { name: 'bound-object-name', kind: 'text', value: 'NAME', means: 'the name of that object' },
    { name: 'bound-object-uid', kind: 'text', value: 'UID', means: 'its uid, to be sure' },
    outputFlag('yaml, json'),
  ],
  completes: 'nothing',
  async run({ words, flags, world, session }) {
    const [name, ...more] = words
    if (name === undefined || more.length > 0)
      throw new UsageError('name one service account: orchctl create token builder')
    const { form } = readFormat(flags.text('output'), ['yaml', 'json'])
    const durationMs = flags.durationMs('duration')
    const kind = flags.text('bound-object-kind')
    if (kind === undefined && flags.has('bound-object-name'))
      throw new UsageError('--bound-object-name needs --bound-object-kind')
    const connected = await session()
    const request = {
      apiVersion: `${(await connected.vendor()).group('authentication')}/v1`,
      kind: 'TokenRequest',
      spec: {
        audiences: flags.list('audience'),
        ...(durationMs === undefined ? {} : { expirationSeconds: Math.round(durationMs / 1000) }),
        ...(kind === undefined
          ? {}
          : {
              boundObjectRef: {
                kind,
                apiVersion: 'v1',
                name: flags.text('bound-object-name'),
                ...(flags.has('bound-object-uid') ? { uid: flags.text('bound-object-uid') } : {}),
              },
            }),
      },
    }
    const accounts = connected.client.resource({ group: '', version: 'v1', resource: 'serviceaccounts' })
    const answer = await accounts
      .in(connected.namespace)
      .createSubresource<unknown, TokenRequest>(name, 'token', request)
    const shown = { ...answer, metadata: { ...answer.metadata, managedFields: undefined } }
    if (form === 'json') world.write(`${JSON.stringify(shown, undefined, 4)}\n`)
    else if (form === 'yaml') world.write(yamlText(shown))
    else world.write(`${answer.status?.token ?? ''}\n`)
  },
}

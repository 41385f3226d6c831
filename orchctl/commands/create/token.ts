import type { ApiObject } from 'orch/sdk'
import { printFlags } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { formatOf } from '../../output/format.js'
import { ObjectPrinter } from '../../output/print-objects.js'
import { UsageError } from '../../usage-error.js'

interface TokenRequest {
  readonly metadata?: object
  readonly status?: { readonly token?: string }
}

export const createToken: Command = {
  name: 'create token',
  summary: 'Request a token for a service account.',
  usage: 'SERVICE-ACCOUNT [flags]',
  examples: [
    ['For ten minutes', 'create token builder --duration=10m'],
    ['For one audience only', 'create token builder --audience=https://vault.example.com'],
    ['Invalid once a Pod is deleted', 'create token builder --bound-object-kind=Pod --bound-object-name=build-1'],
  ],
  flags: [
    { name: 'duration', kind: 'text', value: 'TIME', description: 'lifetime of the token: 10m, 24h' },
    { name: 'audience', kind: 'list', value: 'NAME', description: 'audience of the token' },
    {
      name: 'bound-object-kind',
      kind: 'text',
      value: 'KIND',
      description: 'Pod or Secret: the token becomes invalid when it is deleted',
    },
    { name: 'bound-object-name', kind: 'text', value: 'NAME', description: 'name of that object' },
    { name: 'bound-object-uid', kind: 'text', value: 'UID', description: 'uid of that object' },
    ...printFlags,
  ],
  completes: 'nothing',
  async run({ args, flags, terminal, session }) {
    const [name, ...more] = args
    if (name === undefined || more.length > 0)
      throw new UsageError('name one service account: orchctl create token builder')
    const format = formatOf(flags, ['yaml', 'json', 'name', 'jsonpath', 'jsonpath-as-json', 'go-template'])
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
    const printer = new ObjectPrinter(terminal, format, { managedFields: flags.is('show-managed-fields') })
    if (format.form !== 'table') printer.print([{ object: answer as ApiObject }])
    else terminal.write(`${answer.status?.token ?? ''}\n`)
  },
}

import { allNamespacesFlag } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { TextTable } from '../../output/text-table.js'
import { UsageError } from '../../usage-error.js'

interface AccessReview {
  readonly status?: { readonly allowed?: boolean; readonly reason?: string; readonly evaluationError?: string }
}
interface Rule {
  readonly verbs?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}
interface RulesReview {
  readonly status?: { readonly resourceRules?: readonly Rule[]; readonly nonResourceRules?: readonly Rule[] }
}

export const canI: Command = {
  name: 'auth can-i',
  summary: 'Check whether you are allowed to do something. Exit code 1 means no.',
  usage: '(VERB TYPE[/NAME] | VERB /PATH | --list) [flags]',
  examples: [
    ['May I create pods here?', 'auth can-i create pods'],
    ['May this service account read one secret?', 'auth can-i get secret/db --as system:serviceaccount:web:default'],
    ['A subresource', 'auth can-i get pods --subresource=log'],
    ['A path', 'auth can-i get /metrics'],
    ['Everything that I may do', 'auth can-i --list -n web'],
  ],
  flags: [
    { name: 'list', kind: 'switch', description: 'list everything that is allowed in the namespace' },
    { name: 'subresource', kind: 'text', value: 'NAME', description: 'a subresource of the type: status, log' },
    { name: 'quiet', short: 'q', kind: 'switch', description: 'only the exit code' },
    { name: 'no-headers', kind: 'switch', description: 'leave out the header of --list' },
    allNamespacesFlag,
  ],
  completes: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*'],
  async run(call) {
    const { flags, args, terminal } = call
    if (flags.is('list')) return listRules(call)
    const [verb, what, more] = args
    if (verb === undefined || what === undefined || args.length > 3)
      throw new UsageError('name a verb and a type: orchctl auth can-i create pods')
    const spec = what.startsWith('/')
      ? { nonResourceAttributes: { path: what, verb } }
      : { resourceAttributes: await attributesOf(call, verb, what, more) }
    const { status } = await review<AccessReview>(call, 'SelfSubjectAccessReview', spec)
    const allowed = status?.allowed === true
    if (!flags.is('quiet')) {
      const reason = status?.reason ? ` - ${status.reason}` : ''
      terminal.write(`${allowed ? terminal.paint.good('yes') : `${terminal.paint.bad('no')}${reason}`}\n`)
      if (status?.evaluationError) terminal.log(`Warning: ${status.evaluationError}`)
    }
    return allowed ? exitCodes.done : exitCodes.failed
  },
}

async function attributesOf({ flags, session, terminal }: Call, verb: string, what: string, more: string | undefined) {
  const [type = '', inName] = what.split('/')
  const connected = await session()
  const kind = (await connected.kinds()).findByName(type)
  if (!kind && type !== '*') terminal.log(`Warning: the server has no type "${type}"`)
  const [resource, ...group] = type.split('.')
  const isNamespaced = kind?.namespaced ?? true
  const name = inName ?? more
  return {
    verb,
    group: kind?.group ?? (type === '*' ? '*' : group.join('.')),
    resource: kind?.resource ?? resource,
    ...(name === undefined ? {} : { name }),
    ...(flags.has('subresource') ? { subresource: flags.text('subresource') } : {}),
    ...(isNamespaced && !flags.is('all-namespaces') ? { namespace: connected.namespace } : {}),
  }
}

async function review<A>({ session }: Call, kind: string, spec: unknown): Promise<A> {
  const connected = await session()
  const group = (await connected.vendor()).group('authorization')
  const resource = `${kind.toLowerCase()}s`
  const object = { apiVersion: `${group}/v1`, kind, metadata: {}, spec }
  return (await connected.client.resource<unknown>({ group, version: 'v1', resource }).create(object)) as A
}

async function listRules(call: Call): Promise<void> {
  const { flags, terminal, session } = call
  const { namespace } = await session()
  const { status } = await review<RulesReview>(call, 'SelfSubjectRulesReview', { namespace })
  const list = (args: readonly string[] = []) => `[${args.join(' ')}]`
  const rows = [
    ...(status?.resourceRules ?? []).flatMap(rule =>
      (rule.resources ?? []).flatMap(resource =>
        (rule.apiGroups ?? ['']).map(group => [
          group === '' ? resource : `${resource}.${group}`,
          '[]',
          list(rule.resourceNames),
          list(rule.verbs),
        ]),
      ),
    ),
    ...(status?.nonResourceRules ?? []).map(rule => ['', list(rule.nonResourceURLs), '[]', list(rule.verbs)]),
  ]
  const table = new TextTable(['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'], terminal.paint)
  terminal.write(table.print(rows, !flags.is('no-headers')))
}

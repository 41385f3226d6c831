import type { ApiObject } from 'orch/sdk'
import { fileFlags, printFlags } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { forEach } from '../../objects/for-each.js'
import { nameIn, readManifests, readsManifests } from '../../objects/read-manifests.js'
import { retryConflicts } from '../../objects/retry-conflicts.js'
import { objectName } from '../../output/print-objects.js'
import { writtenPrinter } from '../../output/written.js'
import { UsageError } from '../../usage-error.js'

interface Condition {
  readonly type: string
  readonly status?: string
  readonly reason?: string
  readonly message?: string
}
interface SigningRequest extends ApiObject {
  status?: { conditions?: readonly Condition[] }
}
const resource = 'certificatesigningrequests'

/** Approves or denies signing requests. */
async function decide(call: Call, type: 'Approved' | 'Denied'): Promise<number> {
  const { args, terminal, flags } = call
  const files = readsManifests(flags) ? (await readManifests(flags, terminal)).map(nameIn) : []
  if (args.length === 0 && files.length === 0)
    throw new UsageError('name the signing requests: orchctl certificate approve NAME...')
  const session = await call.session()
  const group = (await session.vendor()).group('certificates')
  const requests = session.client.resource<SigningRequest>({ group, version: '', resource })
  const kind = { singular: 'certificatesigningrequest', group }
  const names = [...files, ...args.map(word => word.split('/').at(-1) ?? word)]
  const print = writtenPrinter(call)
  const labelled = names.map(name => ({ name, label: objectName(kind, name) }))
  const done = type === 'Approved' ? 'approved' : 'denied'
  const decideOne = async ({ name, label }: (typeof labelled)[number]): Promise<void> => {
    const request = await requests.get(name)
    const conditions = request.status?.conditions ?? []
    if (conditions.some(one => one.type === type) && !flags.is('force'))
      return print({ label }, `was ${done} already`, request)
    const condition: Condition = {
      type,
      status: 'True',
      reason: flags.text('reason') ?? `Orchctl${type === 'Approved' ? 'Approve' : 'Deny'}`,
      message: flags.text('message') ?? `This request was ${done} with orchctl certificate.`,
    }
    const others = conditions.filter(one => one.type !== type)
    const status = { ...request.status, conditions: [...others, condition] }
    print({ label }, done, await requests.updateSubresource('approval', { ...request, status }))
  }
  return forEach(labelled, terminal, one => retryConflicts(() => decideOne(one)))
}

const flags: Command['flags'] = [
  { name: 'reason', kind: 'text', value: 'WORD', description: 'why, in one word' },
  { name: 'message', kind: 'text', value: 'TEXT', description: 'why, for people' },
  { name: 'force', kind: 'switch', description: 'change an earlier decision' },
  ...fileFlags,
  ...printFlags,
]

export const approve: Command = {
  name: 'certificate approve',
  summary: 'Approve signing requests, so that their signer issues the certificates.',
  usage: 'NAME... [flags]',
  examples: [
    ['List pending requests, then approve one', 'get csr'],
    ['', 'certificate approve node-1'],
  ],
  flags,
  completes: 'nothing',
  run: call => decide(call, 'Approved'),
}
export const deny: Command = {
  name: 'certificate deny',
  summary: 'Deny signing requests.',
  usage: 'NAME... [flags]',
  examples: [['With a reason for the requester', 'certificate deny node-1 --message="unknown machine"']],
  flags,
  completes: 'nothing',
  run: call => decide(call, 'Denied'),
}

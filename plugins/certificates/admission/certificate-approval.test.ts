import { admit, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, stored } from '../testing/acme.js'
import { jane, permitting, written } from '../testing/fake-permissions.js'
import { certificateApproval } from './certificate-approval.js'

const approval = suite('certificate approval')
const csrFor = (signerName: string) => stored({}, { signerName })

const cases = {
  'admits a user permitted for the signer': { may: 'approve a.io/x', sent: 'a.io/x', rejected: false },
  'admits a user permitted for the domain': { may: 'approve a.io/*', sent: 'a.io/x', rejected: false },
  'rejects a user permitted for another signer': { may: 'approve a.io/y', sent: 'a.io/x', rejected: true },
  'rejects a user permitted for another domain': { may: 'approve b.io/*', sent: 'a.io/x', rejected: true },
  'rejects a user permitted for everything by a bare star': { may: 'approve *', sent: 'a.io/x', rejected: true },
  'rejects a user who may only sign': { may: 'sign a.io/x', sent: 'a.io/x', rejected: true },
  'checks the stored signer, not the sent one': { may: 'approve b.io/x', sent: 'b.io/x', rejected: true },
}
for (const [title, { may, sent, rejected }] of Object.entries(cases))
  approval(title, async () => {
    const verdict = await certificateApproval(acmeNames).review(
      written(csrFor(sent), csrFor('a.io/x')),
      { authorizer: permitting(may) },
      'validate',
    )
    assert.is(verdict !== undefined, rejected)
  })

const send = (stated: StatedRequest<ReturnType<typeof csrFor>>) => {
  const { group, requests } = acmeNames
  const target = {
    group,
    resource: requests.resource,
    subresource: 'approval',
    operation: 'update',
    user: jane,
  } as const
  const csr = csrFor('a.io/x')
  return admit(
    certificateApproval(acmeNames),
    { ...target, object: csr, oldObject: csr, ...stated },
    {
      authorizer: permitting('approve b.io/x'),
    },
  )
}
approval('decides the same on a dry run', async () => {
  assert.is((await send({ dryRun: true })).refusal?.code, 403)
  const other = csrFor('b.io/x')
  assert.is((await send({ dryRun: true, object: other, oldObject: other })).refusal, undefined)
})
approval('does not apply to creating a request, changing it or its status', async () => {
  for (const [operation, subresource] of [
    ['create', ''],
    ['update', ''],
    ['update', 'status'],
  ] as const)
    assert.is((await send({ operation, subresource })).refusal, undefined)
})
approval.run()

import { admit, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, isTrue, stored } from '../testing/acme.js'
import { jane, permitting, written } from '../testing/fake-permissions.js'
import { certificateSigning } from './certificate-signing.js'

const signing = suite('certificate signing')
const signerName = 'a.io/x'
const before = stored({ conditions: [isTrue('Approved')] }, { signerName })
const withCertificate = stored({ ...before.status, certificate: 'AA==' }, { signerName })
const withCondition = stored({ conditions: [isTrue('Approved'), isTrue('Failed')] }, { signerName })
const withLabel = { ...before, metadata: { ...before.metadata, labels: { a: 'b' } } }
const forOther = stored({ ...before.status, certificate: 'AA==' }, { signerName: 'b.io/x' })

const cases = {
  'admits a user permitted for the signer': { may: 'sign a.io/x', sent: withCertificate, rejected: false },
  'admits a user permitted for the domain': { may: 'sign a.io/*', sent: withCondition, rejected: false },
  'rejects a certificate by a user without permission': { may: 'sign a.io/y', sent: withCertificate, rejected: true },
  'rejects a condition by a user without permission': { may: 'sign b.io/*', sent: withCondition, rejected: true },
  'rejects a user who may only approve': { may: 'approve a.io/x', sent: withCertificate, rejected: true },
  'checks the stored signer, not the sent one': { may: 'sign b.io/x', sent: forOther, rejected: true },
  'does not apply if neither changes': { may: 'nothing', sent: withLabel, rejected: false },
}
for (const [title, { may, sent, rejected }] of Object.entries(cases))
  signing(title, async () => {
    const services = { authorizer: permitting(may) }
    const verdict = await certificateSigning(acmeNames).review(written(sent, before), services, 'validate')
    assert.is(verdict !== undefined, rejected)
  })

const send = (may: string, stated: StatedRequest<typeof before>) => {
  const { group, requests } = acmeNames
  const target = { group, resource: requests.resource, subresource: 'status', operation: 'update', user: jane } as const
  const request = { ...target, object: withCertificate, oldObject: before, ...stated }
  return admit(certificateSigning(acmeNames), request, { authorizer: permitting(may) })
}
signing('decides the same on a dry run', async () => {
  assert.is((await send('sign b.io/x', { dryRun: true })).refusal?.code, 403)
  assert.is((await send('sign a.io/x', { dryRun: true })).refusal, undefined)
})
signing('does not apply to creating a request, changing it or approving it', async () => {
  for (const [operation, subresource] of [
    ['create', ''],
    ['update', ''],
    ['update', 'approval'],
  ] as const)
    assert.is((await send('nothing', { operation, subresource })).refusal, undefined)
})
signing.run()

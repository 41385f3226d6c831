import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, stored } from '../testing/acme.js'
import { written } from '../testing/fake-permissions.js'
import { aRequest } from '../testing/made-requests.js'
import { certificateSubjectRestriction } from './certificate-subject-restriction.js'

const restriction = suite('certificate subject restriction')
const client = acmeNames.clientSigner

const cases = {
  'rejects the group system:masters for the client signer': {
    signer: client,
    groups: ['system:masters'],
    rejected: true,
  },
  'rejects it among other groups': { signer: client, groups: ['dev', 'system:masters'], rejected: true },
  'admits other groups': { signer: client, groups: ['dev', 'system:master'], rejected: false },
  'does not apply to other signers': { signer: 'example.com/x', groups: ['system:masters'], rejected: false },
}
for (const [title, { signer, groups, rejected }] of Object.entries(cases))
  restriction(title, async () => {
    const { pem } = await aRequest({ organizations: groups })
    const sent = stored({}, { signerName: signer, request: Buffer.from(pem).toString('base64') })
    const verdict = await certificateSubjectRestriction(acmeNames).review(written(sent, sent), {}, 'validate')
    assert.is(verdict !== undefined, rejected)
  })

restriction('decides the same on a dry run, and only for new requests', async () => {
  const { pem } = await aRequest({ organizations: ['system:masters'] })
  const object = stored({}, { signerName: client, request: Buffer.from(pem).toString('base64') })
  const { group, requests } = acmeNames
  const target = { group, resource: requests.resource, object }
  const control = certificateSubjectRestriction(acmeNames)
  assert.is((await admit(control, { ...target, dryRun: true }, {})).refusal?.code, 403)
  assert.is((await admit(control, { ...target, operation: 'update', oldObject: object }, {})).refusal, undefined)
})
restriction.run()

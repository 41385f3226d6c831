import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, stored } from '../testing/acme.js'
import { permitting, written } from '../testing/fake-permissions.js'
import { certificateApproval } from './certificate-approval.js'

const approval = suite('certificate approval')
const csrFor = (signerName: string) => stored({}, { signerName })

const cases = {
  'lets through a user permitted for the signer': { may: 'approve a.io/x', sent: 'a.io/x', rejected: false },
  'lets through a user permitted for the domain': { may: 'approve a.io/*', sent: 'a.io/x', rejected: false },
  'stops a user permitted for another signer': { may: 'approve a.io/y', sent: 'a.io/x', rejected: true },
  'stops a user permitted for another domain': { may: 'approve b.io/*', sent: 'a.io/x', rejected: true },
  'stops a user permitted for everything by a bare star': { may: 'approve *', sent: 'a.io/x', rejected: true },
  'stops a user who may only sign': { may: 'sign a.io/x', sent: 'a.io/x', rejected: true },
  'judges by the stored signer, not the sent one': { may: 'approve b.io/x', sent: 'b.io/x', rejected: true },
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
approval.run()

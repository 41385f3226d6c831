import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRoleTable } from './role-table.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'api.acme.test' })
const table = suite('the table of default roles')

table('has a line for each rule, with names of the vendor', () => {
  const text = `
{user:scheduler}
  read   | core apps    | pods deployments
  update | coordination | leases | a b
  get    | paths        | /healthz /livez
`
  assert.equal(readRoleTable(text, vendor), [
    {
      name: 'system:orch-scheduler',
      rules: [
        { verbs: ['get', 'list', 'watch'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments'] },
        {
          verbs: ['update'],
          apiGroups: ['coordination.api.acme.test'],
          resources: ['leases'],
          resourceNames: ['a', 'b'],
        },
        { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez'] },
      ],
    },
  ])
})
table('is rejected if it names an unknown group or component', () => {
  assert.throws(() => readRoleTable('a\n  get | bogus | pods', vendor), /unknown word "bogus"/)
  assert.throws(() => readRoleTable('{user:bogus}\n', vendor), /unknown word "user:bogus"/)
})
table.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isTrue, stored } from '../testing/acme.js'
import { columns } from './columns.js'
import type { CertificateSigningRequest } from './schema.js'

const table = suite('columns')
const now = Date.parse('2024-01-01T00:10:00Z')
const row = (request: CertificateSigningRequest) => columns.map(column => column.cell(request, now))
const condition = (status: CertificateSigningRequest['status']) => row(stored(status)).at(-1)

table('are in the expected order', () => {
  assert.equal(
    columns.map(({ name }) => name),
    ['Name', 'Age', 'SignerName', 'Requestor', 'RequestedDuration', 'Condition'],
  )
  const request = stored({}, { username: 'jane', expirationSeconds: 86_400 })
  assert.equal(row(request), ['a', '10m', 'example.com/x', 'jane', '24h', 'Pending'])
  assert.is(row(stored())[4], '<none>')
})
table('show the state in one word per condition', () => {
  assert.is(condition({ conditions: [isTrue('Custom')] }), 'Pending')
  assert.is(condition({ conditions: [isTrue('Approved')] }), 'Approved')
  assert.is(condition({ conditions: [isTrue('Denied')] }), 'Denied')
  assert.is(condition({ conditions: [isTrue('Failed')] }), 'Pending,Failed')
  assert.is(condition({ conditions: [isTrue('Approved'), isTrue('Failed')] }), 'Approved,Failed')
  assert.is(condition({ conditions: [isTrue('Approved')], certificate: 'AA==' }), 'Approved,Issued')
})
table.run()

import type { Endpoints } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columns } from './columns.js'

type Subset = NonNullable<Endpoints['subsets']>[number]
const textOf = (...subsets: Subset[]) => columns.find(({ name }) => name === 'Endpoints')?.cell({ subsets } as never, 0)
const addresses = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }))
const ports = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: i + 1 }))

const cases: Record<string, [subsets: Subset[], text: string]> = {
  'without addresses the cell is <none>': [[], '<none>'],
  'those without ports are their addresses': [[{ addresses: addresses(2) }], '10.0.0.0,10.0.0.1'],
  'addresses are listed by port': [
    [{ addresses: addresses(2), ports: ports(2) }],
    '10.0.0.0:1,10.0.0.1:1,10.0.0.0:2 + 1 more...',
  ],
  'IPv6 addresses are in brackets': [[{ addresses: [{ ip: 'fd00::1' }], ports: ports(1) }], '[fd00::1]:1'],
  'several subsets are combined': [[{ addresses: addresses(1) }, { addresses: addresses(1) }], '10.0.0.0,10.0.0.0'],
  'millions of them are counted, not listed': [
    [{ addresses: addresses(20_000), ports: ports(20_000) }],
    '10.0.0.0:1,10.0.0.1:1,10.0.0.2:1 + 399999997 more...',
  ],
}
const endpoints = suite('endpoints in a table')
for (const [title, [subsets, text]] of Object.entries(cases))
  endpoints(title, () => {
    assert.is(textOf(...subsets), text)
  })
endpoints.run()

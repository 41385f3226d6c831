import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columns } from './columns.js'
import type { Ingress } from './schema.js'

const printing = suite('columns of ingresses')
const cellsOf = (ingress: Ingress) =>
  Object.fromEntries(columns.slice(1, -1).map(column => [column.name, column.cell(ingress, 0)]))

printing('an empty ingress shows all hosts and port 80', () => {
  assert.equal(cellsOf({ spec: {} }), { Class: '<none>', Hosts: '*', Address: '', Ports: '80' })
})

printing('shows three hosts and how many rules there are besides, addresses once and in order', () => {
  const ingress: Ingress = {
    spec: {
      ingressClassName: 'gold',
      rules: ['a', 'b', 'c', 'd', 'e'].map(host => ({ host })),
      tls: [{}],
    },
    status: { loadBalancer: { ingress: [{ hostname: 'z' }, { ip: '10.0.0.1' }, { ip: '10.0.0.1' }] } },
  }
  assert.equal(cellsOf(ingress), { Class: 'gold', Hosts: 'a,b,c + 2 more...', Address: '10.0.0.1,z', Ports: '80, 443' })
})

printing('three hosts are shown completely', () => {
  const rules = [{}, ...['a', 'b', 'c'].map(host => ({ host }))]
  assert.is(cellsOf({ spec: { rules } })['Hosts'], 'a,b,c')
})

printing.run()

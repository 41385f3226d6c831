import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateLoadBalancerStatus } from './load-balancer-status.js'

const status = suite('the status of load balancers')

status('has addresses or names', () => {
  const ingress = [{ ip: '10.0.0.1' }, { ip: 'x' }, { hostname: 'a.example' }, { hostname: '10.0.0.1' }]
  const errors = validateLoadBalancerStatus({ ingress }, 'f').map(({ field, type }) => `${field} ${type}`)
  assert.equal(errors, ['f.ingress[1].ip FieldValueInvalid', 'f.ingress[3].hostname FieldValueInvalid'])
})

status.run()

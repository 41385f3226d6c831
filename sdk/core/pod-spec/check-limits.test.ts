import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PodSpec } from '../pod-spec.js'
import { checkLimits } from './check-limits.js'
import { container } from './testing/pod-spec-problems.js'

const limits = suite('limits of a Pod spec')
const problems = (change: object) =>
  checkLimits(PodSpec, { containers: [container], ...change }, 'spec').map(
    ({ field, type }) => `${field} ${type.slice(10)}`,
  )

limits('possible values, and fields that are not set, have no errors', () => {
  assert.equal(problems({ restartPolicy: 'Never', activeDeadlineSeconds: 1, affinity: null }), [])
})

limits('choices and numbers are checked at every depth', () => {
  const spec = {
    restartPolicy: 'Bogus',
    preemptionPolicy: '',
    activeDeadlineSeconds: 0,
    securityContext: { runAsUser: 2 ** 31 },
    containers: [container, { ...container, ports: [{ containerPort: 80, protocol: 'Odd' }] }],
  }
  assert.equal(problems(spec).sort(), [
    'spec.activeDeadlineSeconds Invalid',
    'spec.containers[1].ports[0].protocol NotSupported',
    'spec.preemptionPolicy Required',
    'spec.restartPolicy NotSupported',
    'spec.securityContext.runAsUser Invalid',
  ])
})

limits.run()

import type { Container, PodSpec } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkPod } from './check-limits.js'

const limits = suite('ranges for whole Pods')
const range = [{ type: 'Pod', max: { cpu: '2' } }]
const limited = (name: string, cpu?: string, more: Partial<Container> = {}) =>
  ({ name, resources: cpu === undefined ? {} : { limits: { cpu }, requests: { cpu } }, ...more }) as Container
const spec = (containers: Container[], more: Partial<PodSpec> = {}) => ({ containers, ...more }) as PodSpec
const unnamed = ['maximum cpu usage per Pod is 2. No limit is specified']

limits('before 1.28 a resource that one container does not set has no sum', () => {
  const half = spec([limited('a', '1'), limited('b')])
  assert.equal(checkPod(half, range, 'set by every container'), unnamed)
  assert.equal(checkPod(half, range, 'set by any container'), [])
})

limits('sidecars count in addition to containers', () => {
  const beside = { initContainers: [limited('s', '1500m', { restartPolicy: 'Always' })] }
  assert.equal(checkPod(spec([limited('a', '1')], beside), range, 'set by any container'), [
    'maximum cpu usage per Pod is 2, but limit is 2500m',
  ])
})

limits('Pod-level resources are used instead of those of containers', () => {
  const whole = (cpu: string) => spec([limited('a', '1')], { resources: { limits: { cpu }, requests: { cpu } } })
  assert.equal(checkPod(whole('2'), range, 'set by any container'), [])
  assert.equal(checkPod(whole('3'), range, 'set by any container'), ['maximum cpu usage per Pod is 2, but limit is 3'])
})

limits('huge pages are summed over the containers even if the Pod as a whole has some', () => {
  const pages = 'hugepages-2Mi'
  const amount = (text: string) => ({ limits: { [pages]: text }, requests: { [pages]: text } })
  const whole = spec([{ name: 'a', resources: amount('2Mi') } as Container], { resources: amount('8Mi') })
  for (const sums of ['set by any container', 'set by every container'] as const) {
    assert.equal(checkPod(whole, [{ type: 'Pod', max: { [pages]: '4Mi' } }], sums), [])
    assert.equal(checkPod(whole, [{ type: 'Pod', max: { [pages]: '1Mi' } }], sums), [
      `maximum ${pages} usage per Pod is 1Mi, but limit is 2Mi`,
    ])
  }
})

limits.run()

import type { Pod, Service } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressInPod, PodChanges } from './backends.js'

const changing = suite('Pods that changed')

const service = (name: string): Service => ({
  metadata: { name, namespace: 'town' },
  spec: { selector: { app: name } },
})
const services = {
  get: (_: string, name: string) => service(name),
  list: () => [service('web'), service('mail'), service('other')],
}
const pod = (app: string): Pod => ({
  metadata: { name: 'a', namespace: 'town', labels: { app } },
  spec: { containers: [] },
})

changing('map to the Services that selected them before and after, until these are reconciled', async () => {
  const changes = new PodChanges()
  const [key = ''] = changes.keys(pod('mail'), pod('web'))
  const worked: string[] = []
  const work = async ({ metadata }: Service) => void worked.push(metadata?.name ?? '')
  const failing = changes.eachService(key, services, () => Promise.reject(new Error('not now')))
  assert.is(await failing.catch((error: Error) => error.message), 'not now')
  await changes.eachService(key, services, async one => {
    await work(one)
    if (worked.length === 1) changes.keys(pod('other'), undefined)
  })
  assert.equal(worked.splice(0), ['web', 'mail'])
  await changes.eachService(key, services, work)
  assert.equal(worked.splice(0), ['other'])
  await changes.eachService(key, services, work)
  assert.equal(worked, [])
})
changing('do not affect the key of a Service', async () => {
  const worked: unknown[] = []
  await new PodChanges().eachService('town/web', services, async one => void worked.push(one))
  assert.equal(worked, [service('web')])
})

const address = suite('the address of a Pod')
const at = (...ips: string[]): Pod => ({ spec: { containers: [] }, status: { podIPs: ips.map(ip => ({ ip })) } })

address('is the first of its family, in the form that slices require', () => {
  assert.is(addressInPod(at('FD00:0::01', '10.0.0.02', '10.0.0.3'), 'IPv4'), '10.0.0.2')
  assert.is(addressInPod(at('FD00:0::01', '10.0.0.2'), 'IPv6'), 'fd00::1')
  assert.is(addressInPod(at('10.0.0.2'), 'IPv6'), undefined)
  assert.is(addressInPod({ spec: { containers: [] }, status: { podIP: '10.0.0.9' } }, 'IPv4'), '10.0.0.9')
})

changing.run()
address.run()

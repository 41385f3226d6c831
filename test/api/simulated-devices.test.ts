import type { ApiObject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import config from '../../orch.config.js'
import { eventually } from '../support/eventually.js'
import { withServer } from './with-server.js'

const group = 'resource.k8s.io'
const limit = { timeoutMs: 60_000 }
interface Claim extends ApiObject {
  status?: {
    allocation?: { devices: { results: { device: string }[] }; nodeSelector?: object }
    reservedFor?: { name: string }[]
  }
}

const devices = suite('devices of simulated nodes')

devices(
  'are allocated to the claims of Pods, which are scheduled where their devices are, and wait for devices in use',
  () =>
    withServer(
      { vendor: 'kubernetes', kubernetesVersion: '1.36', plugins: config.plugins, options: { simulateNodes: 2 } },
      async server => {
        const { client } = server
        const at = <T extends ApiObject>(resource: string) => client.resource<T>({ group, version: 'v1', resource })
        const pods = client.resource<ApiObject & Pod>({ group: '', version: 'v1', resource: 'pods' }).in('default')
        const claims = at<Claim>('resourceclaims').in('default')
        const slice = (node: string, name: string, memory: string) =>
          at('resourceslices').create({
            metadata: { name: `${node}-gpus` },
            spec: {
              driver: 'gpu.example',
              nodeName: node,
              pool: { name: node, generation: 1, resourceSliceCount: 1 },
              devices: [{ name, attributes: { model: { string: 'x' } }, capacity: { memory: { value: memory } } }],
            },
          } as ApiObject)
        await slice('node-1', 'small', '8Gi')
        await slice('node-2', 'large', '40Gi')
        const cel = (expression: string) => [{ cel: { expression } }]
        const config = [{ opaque: { driver: 'gpu.example', parameters: { mode: 'fast' } } }]
        await at('deviceclasses').create({
          metadata: { name: 'gpu' },
          spec: {
            selectors: cel('device.driver == "gpu.example" && device.attributes["gpu.example"].model == "x"'),
            config,
          },
        } as ApiObject)
        const selectors = cel('device.capacity["gpu.example"].memory.isGreaterThan(quantity("16Gi"))')
        const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', selectors } }]
        await at('resourceclaimtemplates')
          .in('default')
          .create({
            metadata: { name: 'large' },
            spec: { spec: { devices: { requests } } },
          } as ApiObject)
        const aPod = (name: string) =>
          pods.create({
            metadata: { name },
            spec: {
              containers: [{ name: 'main', image: 'main:1', resources: { claims: [{ name: 'gpu' }] } }],
              resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'large' }],
            },
          } as ApiObject & Pod)
        const running = (name: string) => pods.waitFor(name, ({ status }) => status?.phase === 'Running', limit)

        await aPod('first')
        assert.is((await running('first')).spec?.nodeName, 'node-2')
        const [claim] = (await claims.list()).items
        assert.equal(claim?.metadata.finalizers, ['resource.kubernetes.io/delete-protection'])
        assert.equal(claim?.status?.allocation, {
          devices: {
            results: [{ request: 'r', driver: 'gpu.example', pool: 'node-2', device: 'large' }],
            config: [{ source: 'FromClass', requests: ['r'], ...config[0] }],
          },
          nodeSelector: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-2'] }] }],
          },
        })
        assert.equal(
          claim?.status?.reservedFor?.map(({ name }) => name),
          ['first'],
        )

        await aPod('second')
        const waiting = await pods.waitFor(
          'second',
          ({ status }) => status?.conditions?.some(({ message }) => message?.includes('cannot allocate')) === true,
          limit,
        )
        const scheduled = waiting.status?.conditions?.find(({ type }) => type === 'PodScheduled')
        assert.is(scheduled?.message, '0/2 nodes are available: 2 cannot allocate all claims.')
        await pods.delete('first')
        await running('second')
        await eventually(
          'the claim of the first Pod is gone',
          async () => (await claims.list()).items.length === 1 || undefined,
        )
      },
    ),
)

devices.run()

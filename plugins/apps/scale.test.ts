import { kubernetesProfile } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deploymentCollection } from './deployments/schema.js'

const scaling = suite('scaling')
const namespace = 'default'
interface Status {
  readonly details: { readonly kind: string; readonly causes: readonly { readonly field: string }[] }
}

scaling('is an update of the scaled object, which must be valid and causes warnings', async () => {
  const server = await startServer({
    vendor: kubernetesProfile,
    kubernetesVersion: '1.27',
    options: { controllers: [] },
  })
  try {
    const selector = { matchLabels: { app: 'a' } }
    const disk = { name: 'v', gcePersistentDisk: { pdName: 'd' } }
    const nodeSelector = { 'beta.kubernetes.io/os': 'linux' }
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }], volumes: [disk], nodeSelector },
    }
    const metadata = { name: 'd', namespace }
    const deployments = server.client.resource(deploymentCollection).in(namespace)
    const spec = { selector, template, replicas: 1 }
    await deployments.create({ metadata, spec } as never)
    const scale = async (replicas: number) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/d/scale`
      const body = JSON.stringify({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata, spec: { replicas } })
      const response = await fetch(`${server.baseUrl}${path}`, {
        method: 'PUT',
        body,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      })
      return {
        status: response.status,
        warnings: response.headers.get('warning'),
        answer: (await response.json()) as Status,
      }
    }
    const refused = await scale(2)
    assert.is(refused.status, 422)
    assert.is(refused.answer.details.kind, 'Deployment')
    assert.equal(
      refused.answer.details.causes.map(({ field }) => field),
      ['spec.template.spec.volumes[0].gcePersistentDisk.readOnly'],
    )
    const scaled = await scale(0)
    assert.is(scaled.status, 200)
    assert.match(scaled.warnings ?? '', /spec\.template\.spec\.nodeSelector/)
    assert.is((await scale(0)).warnings, null)
  } finally {
    await server.stop()
  }
})

scaling.run()

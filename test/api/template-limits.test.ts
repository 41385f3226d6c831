import { ApiError, definePlugin, defineResource, embedded, type FieldError, Kind, Struct } from 'orch/sdk'
import { checkTemplateLimits, PodTemplateSpec } from 'orch/sdk/core'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const limits = suite('limits of the Pods in a template')

const CrewSpec = Struct('crews.v1.CrewSpec', { template: embedded(1, PodTemplateSpec, 'Its members.') })
const Crew = Kind('crews.v1.Crew', { spec: embedded(2, CrewSpec, 'Desired state.') })
const odd = {
  metadata: { name: 'a' },
  spec: { template: { spec: { containers: [], restartPolicy: 'Sometimes', activeDeadlineSeconds: 0 } } },
}

async function causesOf(strategy: object): Promise<string[]> {
  const crews = defineResource({
    group: 'example.com',
    kind: 'Crew',
    resource: 'crews',
    namespaced: false,
    versions: [{ name: 'v1', schema: Crew }],
    strategy,
  })
  const plugin = definePlugin({ name: 'crews', register: to => to.resource(crews) })
  const { client, stop } = await startServer({ plugins: [plugin] })
  try {
    await client.of(crews).create(odd as never)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (error.details?.causes ?? []).map(({ field = '' }) => field)
  } finally {
    await stop()
  }
}

limits('a type of another plugin has them all', async () => {
  const fields = await causesOf({})
  assert.equal(fields.sort(), ['spec.template.spec.activeDeadlineSeconds', 'spec.template.spec.restartPolicy'])
})

limits('a type may check them under a condition, or repeatedly', async () => {
  assert.equal(await causesOf({ validateLimits: checkTemplateLimits(() => 0) }), [])
  assert.is((await causesOf({ validateLimits: checkTemplateLimits(() => 2) })).length, 4)
})

limits('the other limits of an object are checked once', () => {
  const errorOf = (field: string) => ({ field, type: 'FieldValueInvalid' }) as FieldError
  const limitErrors = () => [errorOf('spec.replicas'), errorOf('spec.template.spec.restartPolicy')]
  const found = (times: number) =>
    checkTemplateLimits(() => times)({}, undefined, { limitErrors } as never).map(({ field }) => field)
  assert.equal(found(0), ['spec.replicas'])
  assert.equal(found(2), ['spec.replicas', 'spec.template.spec.restartPolicy', 'spec.template.spec.restartPolicy'])
})

limits.run()

import { kubernetesProfile, orchProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RuntimeClass } from './schema.js'
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const validation = suite('validation of runtime classes')
const fields = (errors: { field: string; type: string }[]) =>
  errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
const toleration = { key: 'vm', operator: 'Exists', effect: 'NoExecute' }

const cases: Record<string, [runtimeClass: Partial<RuntimeClass>, ...wrong: string[]]> = {
  'accepts overhead and scheduling': [
    { overhead: { podFixed: { cpu: '1' } }, scheduling: { nodeSelector: { a: 'b' }, tolerations: [toleration] } },
  ],
  'refuses a handler that is not a DNS label': [{ handler: 'A_b' }, 'handler Invalid'],
  'refuses overhead that no container can have': [
    { overhead: { podFixed: { pods: '1' } } },
    'overhead.limits[pods] Invalid',
  ],
  'refuses large pages alone': [{ overhead: { podFixed: { 'hugepages-2Mi': '2Mi' } } }, 'overhead Forbidden'],
  'rejects invalid labels': [{ scheduling: { nodeSelector: { 'a b': '' } } }, 'scheduling.nodeSelector Invalid'],
  'refuses a toleration twice, however long it lasts': [
    { scheduling: { tolerations: [toleration, { ...toleration, tolerationSeconds: 5 }] } },
    'scheduling.tolerations[1] Duplicate',
  ],
}
for (const [title, [runtimeClass, ...wrong]] of Object.entries(cases))
  validation(title, () => assert.equal(fields(validateRuntimeClass({ handler: 'vm', ...runtimeClass }, vendor)), wrong))

validation('reports the field of a toleration according to the version', () => {
  const tolerations = [{ key: 'a', operator: 'Odd', value: '1' }]
  const wrong = (version: string) =>
    fields(
      validateRuntimeClass(
        { handler: 'vm', scheduling: { tolerations } },
        new Vendor(profileAtVersion(kubernetesProfile, version)!),
      ),
    )
  assert.equal(wrong('1.34'), ['scheduling.tolerations.tolerations[0].operator NotSupported'])
  assert.equal(wrong('1.35'), ['scheduling.tolerations[0].operator NotSupported'])
})
validation('keeps the handler', () => {
  assert.equal(fields(validateRuntimeClassUpdate({ handler: 'vm' }, { handler: 'runc' }, vendor)), ['handler Invalid'])
})

validation.run()

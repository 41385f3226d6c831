import { ServedLevel, type VersionName } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validatePriorityClass, validatePriorityClassUpdate } from './validation.js'

const validation = suite('validation of priority classes')
const cases: Record<
  string,
  { name: string; value: number; globalDefault?: boolean; preemptionPolicy?: string; wrong: string[] }
> = {
  'accepts the highest a user may have': { name: 'high', value: 1_000_000_000, wrong: [] },
  'refuses a higher one': { name: 'high', value: 1_000_000_001, wrong: ['value'] },
  'accepts the classes of the system': { name: 'system-node-critical', value: 2_000_001_000, wrong: [] },
  'refuses another value for them': { name: 'system-node-critical', value: 1, wrong: ['metadata.name'] },
  'refuses them as default': {
    name: 'system-node-critical',
    value: 2_000_001_000,
    globalDefault: true,
    wrong: ['metadata.name'],
  },
  'refuses other names of the system': { name: 'system-mine', value: 1, wrong: ['metadata.name'] },
  'refuses an unknown policy': { name: 'a', value: 1, preemptionPolicy: 'Maybe', wrong: ['preemptionPolicy'] },
}
for (const [title, { name, wrong, ...fields }] of Object.entries(cases))
  validation(title, () => {
    const errors = validatePriorityClass({ metadata: { name }, ...fields })
    assert.equal(
      errors.map(({ field }) => field),
      wrong,
    )
  })
validation('refuses another value or policy on update', () => {
  const wrongAt = (version: VersionName) =>
    validatePriorityClassUpdate(
      { value: 2, preemptionPolicy: 'Never' },
      { value: 1 },
      { level: new ServedLevel(version) },
    ).map(({ field, type }) => `${field} ${type.slice(10)}`)
  assert.equal(wrongAt('1.23'), ['Value Forbidden', 'preemptionPolicy Invalid'])
  assert.equal(wrongAt('1.25'), ['value Forbidden', 'preemptionPolicy Invalid'])
})
validation.run()

import type { FeatureGate } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FeatureGates } from './feature-gates.js'

const gates = suite('feature gates')
const gate = (stage: FeatureGate['stage']): FeatureGate => ({ stage, description: 'Something new.' })
const declared: Record<string, FeatureGate>[] = [{ Young: gate('alpha'), Grown: gate('beta') }, { Old: gate('stable') }]
const chosen = (choice: Record<string, string>) => new FeatureGates(declared, choice)
const on = (choice: Record<string, string>) =>
  ['Young', 'Grown', 'Old'].filter(name => chosen(choice).isEnabled(name)).join(' ')

gates('are on by default from beta on', () => assert.is(on({}), 'Grown Old'))
gates('are turned on and off one by one, and by stage', () => {
  assert.is(on({ Young: 'true', Grown: 'false' }), 'Young Old')
  assert.is(on({ AllAlpha: 'true' }), 'Young Grown Old')
  assert.is(on({ AllBeta: 'false' }), 'Old')
})
gates('of their own name count more than those of their stage', () => {
  assert.is(on({ AllAlpha: 'true', Young: 'false' }), 'Grown Old')
})
gates('that nobody declares are off, and naming them is a mistake', () => {
  assert.is(chosen({ Grwn: 'true' }).isEnabled('Grwn'), false)
  assert.equal(chosen({ Grwn: 'true' }).problems(), ['there is no gate "Grwn", did you mean "Grown"?'])
  assert.is(chosen({ Something: 'true' }).problems().length, 1)
})
gates('take true or false, and what is stable stays on', () => {
  assert.equal(chosen({ Young: 'maybe' }).problems(), ['gate Young must be true or false, not "maybe"'])
  assert.equal(chosen({ Old: 'false' }).problems(), ['gate Old is stable and cannot be turned off'])
  assert.equal(chosen({ Old: 'true', AllAlpha: 'true' }).problems(), [])
})

gates.run()

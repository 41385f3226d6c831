import { type FeatureGate, kubernetesProfile, orchProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FeatureGates } from './feature-gates.js'

const gates = suite('feature gates')
const gate = (stage: FeatureGate['stage']): FeatureGate => ({ stage, description: 'Something new.' })
const declared: Record<string, FeatureGate>[] = [{ Young: gate('alpha'), Grown: gate('beta') }, { Old: gate('stable') }]
const chosen = (choice: Record<string, string>) => new FeatureGates(declared, choice, new Vendor(orchProfile))
const on = (choice: Record<string, string>) =>
  ['Young', 'Grown', 'Old'].filter(name => chosen(choice).isEnabled(name)).join(' ')

gates('are on by default from beta on', () => assert.is(on({}), 'Grown Old'))
gates('are turned on and off one by one, and by stage', () => {
  assert.is(on({ Young: 'true', Grown: 'false' }), 'Young Old')
  assert.is(on({ AllAlpha: 'true' }), 'Young Grown Old')
  assert.is(on({ AllBeta: 'false' }), 'Old')
})
gates('set by name take precedence over those set by stage', () => {
  assert.is(on({ AllAlpha: 'true', Young: 'false' }), 'Grown Old')
})
gates('that are not declared are off, and naming them is an error', () => {
  assert.is(chosen({ Grwn: 'true' }).isEnabled('Grwn'), false)
  assert.equal(chosen({ Grwn: 'true' }).problems(), ['there is no gate "Grwn", did you mean "Grown"?'])
  assert.is(chosen({ Something: 'true' }).problems().length, 1)
})
gates('accept true or false, and stable ones stay on', () => {
  assert.equal(chosen({ Young: 'maybe' }).problems(), ['gate Young must be true or false, not "maybe"'])
  assert.equal(chosen({ Old: 'false' }).problems(), ['gate Old is locked on at this version and cannot be turned off'])
  assert.equal(chosen({ Old: 'true', AllAlpha: 'true' }).problems(), [])
})

const at = (version: string, choice: Record<string, string> = {}) => {
  const known: Record<string, FeatureGate> = { AnyVolumeDataSource: gate('stable') }
  return new FeatureGates([known], choice, new Vendor(profileAtVersion(kubernetesProfile, version)!))
}
gates('have the stage and default of the version that is served', () => {
  assert.is(at('1.23').isEnabled('AnyVolumeDataSource'), false)
  assert.is(at('1.24').isEnabled('AnyVolumeDataSource'), true)
  assert.is(at('1.24', { AnyVolumeDataSource: 'false' }).isEnabled('AnyVolumeDataSource'), false)
  assert.equal(at('1.33', { AnyVolumeDataSource: 'false' }).problems(), [
    'gate AnyVolumeDataSource is locked on at this version and cannot be turned off',
  ])
})
gates('of the vendor only can be named if its version has them, and have no effect', () => {
  assert.equal(at('1.36', { APIServingWithRoutine: 'true' }).problems(), [])
  assert.equal(at('1.36', { APIServingWithRoutine: 'true' }).withoutEffect(), ['APIServingWithRoutine'])
  assert.is(at('1.23', { APIServingWithRoutine: 'true' }).problems().length, 1)
})

gates.run()

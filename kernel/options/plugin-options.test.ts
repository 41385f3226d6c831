import { Type } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OptionSources, optionsFor } from './plugin-options.js'

const options = suite('plugin options')

const owner = {
  name: 'sample',
  options: Type.Object({
    hours: Type.Integer({ minimum: 1, default: 24 }),
    period: Type.String({ format: 'duration', default: '5m' }),
    names: Type.Array(Type.String(), { default: ['one'] }),
    file: Type.Optional(Type.String({ minLength: 1 })),
  }),
}
const from = (sources: Partial<OptionSources>) =>
  optionsFor(owner, { given: {}, config: {}, flags: new Map(), ...sources })

options('fill their defaults', () => {
  assert.equal(from({}), { options: { hours: 24, period: '5m', names: ['one'] }, problems: [] })
})

options('prefer flags to config keys, those to the entry of the plugin, and that to defaults', () => {
  const given = { hours: 1, period: '1m', names: ['given'] }
  const config = { hours: 2, period: '2m' }
  assert.equal(from({ given, config, flags: new Map([['hours', 3]]) }).options, {
    hours: 3,
    period: '2m',
    names: ['given'],
  })
})

options('never share a default between two boots', () => {
  ;(from({}).options['names'] as string[]).push('changed')
  assert.equal(from({}).options['names'], ['one'])
})

options('allow a list in the config to be written as on the command line', () => {
  assert.equal(from({ config: { names: 'a,b' } }).options['names'], ['a', 'b'])
})

const bad: Record<string, { sources: Partial<OptionSources>; code: string; details: Record<string, unknown> }> = {
  'an option out of range by its path': {
    sources: { config: { hours: 0 } },
    code: 'ORCH_OPTION_INVALID',
    details: { plugin: 'sample', path: 'hours', why: 'expected an integer of at least 1' },
  },
  'a wrong element by its place in the list': {
    sources: { given: { names: ['a', 1] } },
    code: 'ORCH_OPTION_INVALID',
    details: { plugin: 'sample', path: 'names[1]', why: 'expected string' },
  },
  'text that is not a duration': {
    sources: { config: { period: 'soon' } },
    code: 'ORCH_OPTION_INVALID',
    details: { plugin: 'sample', path: 'period', why: 'expected a duration such as 30s or 5m' },
  },
  'an unknown key': {
    sources: { given: { hour: 1 } },
    code: 'ORCH_OPTION_INVALID',
    details: { plugin: 'sample', path: 'hour', why: 'there is no such option, did you mean hours' },
  },
  'a flag by its own name': {
    sources: { flags: new Map([['hours', 0]]) },
    code: 'ORCH_FLAG_VALUE',
    details: { flag: '--hours', value: '0', expected: 'an integer of at least 1' },
  },
}
for (const [title, { sources, code, details }] of Object.entries(bad)) {
  options(`report ${title}`, () => {
    assert.equal(
      from(sources).problems.map(p => ({ code: p.code, details: p.details })),
      [{ code, details }],
    )
  })
}

options('report a missing required option', () => {
  const strict = { name: 'strict', options: Type.Object({ url: Type.String() }) }
  const { problems } = optionsFor(strict, { given: {}, config: {}, flags: new Map() })
  assert.equal(problems[0]?.details, { plugin: 'strict', path: 'url', why: 'it is required, text' })
})
options.run()

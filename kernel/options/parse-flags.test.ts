import { Type } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { declareOptions, flagNameOf } from './option-declarations.js'
import { parseFlags, peekFlag } from './parse-flags.js'

const flags = suite('flags')

const { declarations } = declareOptions([
  {
    name: 'sample',
    options: Type.Object({
      tokenAuthFile: Type.Optional(Type.String()),
      securePort: Type.Integer({ default: 1 }),
      ratio: Type.Number({ default: 1 }),
      tls: Type.Boolean({ default: true }),
      controllers: Type.Array(Type.String(), { default: ['*'] }),
      ports: Type.Array(Type.Integer(), { default: [] }),
      runtimeConfig: Type.Record(Type.String(), Type.String(), { default: {} }),
      version: Type.Union([Type.Literal('v1'), Type.Literal('v1beta1')], { default: 'v1' }),
      v: Type.Integer({ default: 0 }),
    }),
  },
])
const parse = (...words: string[]) => {
  const { values, problems } = parseFlags(words, declarations.values())
  return { values: Object.fromEntries(values), problems: problems.map(p => ({ code: p.code, ...p.details })) }
}

const good: Record<string, { words: string[]; values: Record<string, unknown> }> = {
  'a value after a space or an equals sign': {
    words: ['--secure-port', '0', '--token-auth-file=a=b.csv'],
    values: { securePort: 0, tokenAuthFile: 'a=b.csv' },
  },
  'a boolean without a value as true': { words: ['--tls', '--v=2'], values: { tls: true, v: 2 } },
  'a boolean with a value': { words: ['--tls=false'], values: { tls: false } },
  'one dash before a one-letter flag': { words: ['-v', '3'], values: { v: 3 } },
  'a list with commas, repeated': {
    words: ['--controllers=*,a', '--controllers', '-b'],
    values: { controllers: ['*', 'a', '-b'] },
  },
  'a list of numbers': { words: ['--ports=1,2'], values: { ports: [1, 2] } },
  'an empty list': { words: ['--controllers='], values: { controllers: [] } },
  'pairs, a key alone meaning true': {
    words: ['--runtime-config=api/all=false,batch/v1'],
    values: { runtimeConfig: { 'api/all': 'false', 'batch/v1': 'true' } },
  },
  'the last of several values': { words: ['--secure-port=1', '--secure-port=2'], values: { securePort: 2 } },
  'a choice': { words: ['--version=v1beta1'], values: { version: 'v1beta1' } },
}
for (const [title, { words, values }] of Object.entries(good)) {
  flags(`reads ${title}`, () => assert.equal(parse(...words), { values, problems: [] }))
}

const bad: Record<string, { words: string[]; problem: Record<string, unknown> }> = {
  'an unknown flag, with a suggestion': {
    words: ['--secure-prot=1'],
    problem: { code: 'ORCH_FLAG_UNKNOWN', flag: '--secure-prot', suggestion: '--secure-port' },
  },
  'an unknown flag that resembles none, without its value': {
    words: ['--nonsense', 'value'],
    problem: { code: 'ORCH_FLAG_UNKNOWN', flag: '--nonsense' },
  },
  'text instead of a number': {
    words: ['--secure-port=web'],
    problem: { code: 'ORCH_FLAG_VALUE', flag: '--secure-port', value: 'web', expected: 'an integer' },
  },
  'a boolean that is neither': {
    words: ['--tls=perhaps'],
    problem: { code: 'ORCH_FLAG_VALUE', flag: '--tls', value: 'perhaps', expected: 'true or false' },
  },
  'a choice that is not offered': {
    words: ['--version=v2'],
    problem: { code: 'ORCH_FLAG_VALUE', flag: '--version', value: 'v2', expected: 'one of v1, v1beta1' },
  },
  'a flag whose value is missing': {
    words: ['--secure-port'],
    problem: { code: 'ORCH_FLAG_WITHOUT_VALUE', flag: '--secure-port', expected: 'an integer' },
  },
  'a word that is not a flag': { words: ['serve'], problem: { code: 'ORCH_ARGUMENT_UNEXPECTED', argument: 'serve' } },
}
for (const [title, { words, problem }] of Object.entries(bad)) {
  flags(`reports ${title}`, () => assert.equal(parse(...words).problems, [problem]))
}

flags('are named after their config key', () => {
  assert.is(flagNameOf('tokenAuthFile'), 'token-auth-file')
  assert.is(flagNameOf('v'), 'v')
})

flags('can be read individually before the plugins are known', () => {
  assert.is(peekFlag(['--x', '--config', 'a.ts'], 'config'), 'a.ts')
  assert.is(peekFlag(['--config=b.ts', '--configuration=c'], 'config'), 'b.ts')
  assert.is(peekFlag(['--x'], 'config'), undefined)
})
flags.run()

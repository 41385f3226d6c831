import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseDocument } from '../../kernel/representation/yaml-bodies.js'
import { parseYamlDocuments } from '../../orchctl/output/yaml-text.js'

const parseYaml = (text: string) => parseDocument(text, {}).value
const yaml = suite('orchctl and the server read YAML alike')

const values: Record<string, unknown> = {
  '0644': 420,
  '0o644': 420,
  '-0o17': -15,
  yes: true,
  off: false,
  '12:30:45': '12:30:45',
  '2020-01-01': '2020-01-01',
  '2020-01-01T10:00:00Z': '2020-01-01T10:00:00Z',
  '!!binary aGFsbG8=': 'aGFsbG8=',
  '!!str 1': '1',
  '1_000': 1000,
  '0x1F': 31,
  '~': null,
}
for (const [text, value] of Object.entries(values))
  yaml(`reads ${text} as ${JSON.stringify(value)}, as the server does`, () => {
    const document = `value: ${text}\n`
    assert.equal(parseYamlDocuments(document, 'it'), [{ value }])
    assert.equal(parseYaml(document), { value })
  })

yaml('reads sets and pairs as the plain lists and maps that they are written as', () => {
  for (const document of ['a: !!set {x, y}\n', 'a: !!omap [{x: 1}, {y: 2}]\n', 'a: !!pairs [{x: 1}]\n'])
    assert.equal(parseYamlDocuments(document, 'it'), [parseYaml(document)])
})

yaml('reports duplicate keys', () => {
  assert.throws(() => parseYamlDocuments('a: 1\na: 2\n', 'settings.yaml'), /^.*settings\.yaml/)
})

yaml.run()

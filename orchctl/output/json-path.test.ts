import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillTemplate } from './json-path-template.js'
import { textDiff } from './text-diff.js'
import { parseYamlDocuments } from './yaml-text.js'

const paths = suite('jsonpath templates')

const object = {
  metadata: { name: 'web', annotations: { 'acme.test/note': 'hi' } },
  items: [
    { name: 'a', size: 1, tags: ['x', 'y'] },
    { name: 'b', size: 5 },
  ],
}
const cases: Readonly<Record<string, string>> = {
  '{.metadata.name}': 'web',
  'metadata.name': 'web',
  '{$.metadata.name}': 'web',
  '{.metadata.annotations.acme\\.test/note}': 'hi',
  "{.metadata.annotations['acme.test/note']}": 'hi',
  '{.items[*].name}': 'a b',
  '{.items[-1].name}': 'b',
  '{.items[0:1].name}': 'a',
  '{.items[?(@.size>2)].name}': 'b',
  '{.items[?(@.name=="a")].tags}': '["x","y"]',
  '{.items[?(@.tags)].name}': 'a',
  '{..size}': '1 5',
  "{.items[0]['name','size']}": 'a 1',
  '{range .items[*]}{.name}={.size}{"\\n"}{end}': 'a=1\nb=5\n',
  'name: {.metadata.name}!': 'name: web!',
  '{.nothing.there}': '',
}
for (const [template, text] of Object.entries(cases))
  paths(`fills ${JSON.stringify(template)}`, () => assert.is(fillTemplate(template, object), text))

paths('says what is wrong with a template', () => {
  assert.throws(() => fillTemplate('{.a[}', object), /not a jsonpath/)
  assert.throws(() => fillTemplate('{range .items[*]}{.name}', object), /without an {end}/)
})

paths.run()

const texts = suite('texts')

texts('a diff shows changed lines with three around them', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7', '8']
  const changed = lines.with(4, 'five')
  assert.equal(textDiff(lines.join('\n'), changed.join('\n')), [
    '@@ -2,7 +2,7 @@',
    ...[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
  ])
  assert.equal(textDiff('same', 'same'), [])
})

texts('manifests are read as Kubernetes reads YAML', () => {
  const [read] = parseYamlDocuments('mode: 0644\non: yes\nat: 2024-01-01T00:00:00Z\nport: 22:22\n', 'test')
  assert.equal(read, { mode: 420, true: true, at: '2024-01-01T00:00:00Z', port: '22:22' })
})

texts.run()

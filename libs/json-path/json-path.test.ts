import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillTemplate, valuesAt } from './index.js'

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
  assert.throws(() => fillTemplate('name: {.metadata.name', object), /a { without its }/)
})

paths('searches for a missing brace or bracket once, however many quotes precede it', () => {
  const quotes = `'a'`.repeat(50)
  assert.throws(() => fillTemplate(`{.a[${quotes}`, object), /a { without its }/)
  assert.throws(() => fillTemplate(`{.a[${quotes}"]}`, object), /a { without its }/)
  assert.throws(() => valuesAt(`.a[${quotes}`, object), /not a jsonpath/)
})

paths.run()

import type { ApiObject } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mergePatch } from '../objects/merge-patch.js'
import { sortBy } from '../objects/sort-by.js'
import { colouredPainter, plainPainter } from './painter.js'
import { textDiff } from './text-diff.js'
import { TextTable } from './text-table.js'
import { paintYaml, parseYamlDocuments, yamlText } from './yaml-text.js'

const texts = suite('texts')

const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`

texts('a diff shows changed lines with three lines of context', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7', '8']
  assert.equal(textDiff(textOf(lines), textOf(lines.with(4, 'five'))), [
    '@@ -2,7 +2,7 @@',
    ...[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
  ])
  assert.equal(textDiff('', 'new\n'), ['@@ -0,0 +1,1 @@', '+new'])
  assert.equal(textDiff('same\n', 'same\n'), [])
})

texts('a diff of long texts shows the differences; if nearly everything differs, both texts', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`)
  const nearlySame = textDiff(textOf(lines), textOf(lines.with(0, 'first').with(-1, 'last')))
  assert.equal([nearlySame.length, nearlySame[1], nearlySame.at(-1)], [12, '-line 0', '+last'])
  const different = textDiff(textOf(lines), textOf(lines.map(line => `other ${line}`)))
  assert.equal([different.length, different[1], different.at(-1)], [40_001, '-line 0', '+other line 19999'])
})

texts('colouring keys takes linear time for a value of blank lines', () => {
  const text = yamlText({ data: { a: `x${'\n'.repeat(200_000)}y` } })
  assert.is(paintYaml(text, plainPainter), text)
  assert.match(paintYaml('a: 1\nlist:\n  - b: 2\n', colouredPainter), /^\u001b\[36ma\u001b.*: 1\n[\s\S]*- \u001b\[36mb/)
})

texts('a table can have more rows than a call can have arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [`row-${index}`, 'x'])
  assert.match(new TextTable(['Name', 'Is'], plainPainter).print(rows, true), /^NAME {9}IS\nrow-0 {8}x\n/)
})

texts('a cell cannot contain terminal control characters', () => {
  const table = new TextTable(['Name'], plainPainter).print([['a\u001b[2J\u009d0;b']], false)
  assert.match(table, /^a\\u001b\[2J[^\u0080-\u009f]*0;b\n$/)
})

texts('sorting is stable', () => {
  const items = ['b', 'a', 'c', 'd'].map(name => ({ metadata: { name, labels: { tier: name < 'c' ? 'x' : 'w' } } }))
  sortBy(items, '{.metadata.labels.tier}', item => item as ApiObject)
  assert.equal(
    items.map(({ metadata }) => metadata.name),
    ['c', 'd', 'b', 'a'],
  )
})

texts('a patch handles fields with the names of inherited properties', () => {
  assert.equal(mergePatch({ data: { constructor: 'a' } }, { data: {} }), { data: { constructor: null } })
  assert.equal(mergePatch({ data: {} }, { data: { constructor: 'a' } }), { data: { constructor: 'a' } })
})

texts('manifests are read as Kubernetes reads YAML', () => {
  const [read] = parseYamlDocuments('mode: 0644\non: yes\nat: 2024-01-01T00:00:00Z\nport: 22:22\n', 'test')
  assert.equal(read, { mode: 420, true: true, at: '2024-01-01T00:00:00Z', port: '22:22' })
})

texts.run()

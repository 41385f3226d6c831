import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { climbingImports, fileCycles } from './floors.js'
import { type Source, sources } from './sources.js'

const floorTests = suite('the floors of the kernel')
const source = (path: string, ...imported: string[]): Source => ({
  path,
  text: imported.map(name => `import type { A } from '${name}'`).join('\n'),
  isTest: false,
})
const product = (...folders: string[]) => sources(...folders).filter(({ isTest }) => !isTest)

floorTests('no import leads to a higher floor or to another room of the same floor, types included', () => {
  assert.equal(climbingImports(product('kernel')), [])
})

floorTests('there are no import cycles', () => {
  assert.equal(fileCycles(product('libs', 'kernel', 'sdk', 'plugins', 'orchctl', 'examples')), [])
})

floorTests('a planted import to a higher floor, to another room or to an unknown room is found', () => {
  assert.is(climbingImports([source('kernel/watch/a.ts', '../resources/b.js')]).length, 1)
  assert.is(climbingImports([source('kernel/watch/a.ts', '../openapi/b.js')]).length, 1)
  assert.is(climbingImports([source('kernel/cellar/a.ts')]).length, 1)
  assert.is(climbingImports([source('kernel/watch/a.ts', '../index.js')]).length, 1)
  assert.equal(climbingImports([source('kernel/watch/a.ts', '../storage/b.js', './c.js')]), [])
})

floorTests('a planted import cycle is found, also of types', () => {
  const circle = [source('sdk/a.ts', './b.js'), source('sdk/b.ts', './c.js'), source('sdk/c.ts', './a.js')]
  assert.equal(fileCycles(circle), [['sdk/a.ts', 'sdk/b.ts', 'sdk/c.ts']])
  assert.equal(fileCycles(circle.slice(0, 2)), [])
})

floorTests('a planted import cycle through .tsx files is found', () => {
  const circle = [source('plugins/console/page/a.tsx', './b.js'), source('plugins/console/page/b.tsx', './a.js')]
  assert.equal(fileCycles(circle), [['plugins/console/page/a.tsx', 'plugins/console/page/b.tsx']])
  const mixed = [source('plugins/console/page/a.ts', './b.js'), source('plugins/console/page/b.tsx', './a.js')]
  assert.equal(fileCycles(mixed), [['plugins/console/page/a.ts', 'plugins/console/page/b.tsx']])
})

floorTests.run()

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeReference, documentedNames, referenceFolder } from './sdk-reference.js'
import { describeSurface } from './sdk-surface.js'

const reference = suite('the reference of the sdk')

reference('has all names of the surface', () => {
  const named = new Set([...documentedNames().values()].flat().map(({ name }) => name))
  const listed = describeSurface().trim().split('\n')
  assert.ok(listed.length > 500)
  assert.equal(
    listed.filter(line => !named.has(line.split(' ').at(-1) ?? '')),
    [],
  )
})

reference('has a comment for every name', () => {
  const silent = [...documentedNames().values()].flat().filter(({ doc }) => doc === '')
  assert.equal(
    silent.map(({ name, module }) => `${name} (${module})`),
    [],
  )
})

reference('is what docs/reference holds; if the sdk has changed: npm run api', () => {
  const pages = describeReference()
  assert.equal(readdirSync(referenceFolder).sort(), [...pages.keys()].sort())
  for (const [name, text] of pages) {
    const held = readFileSync(join(referenceFolder, name), 'utf8').split('\n')
    const missing = text.split('\n').filter(line => !held.includes(line))
    assert.equal(missing, [], `${name} lacks lines`)
    assert.is(held.join('\n') === text, true, `${name} differs`)
  }
})

reference.run()

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeReference, documentedNames, referenceFolder } from '../../tools/sdk-reference.js'
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

reference('is written by the build, a page for each topic, and every link of its index works', () => {
  const pages = describeReference()
  for (const [name, text] of pages) assert.ok(readFileSync(join(referenceFolder, name), 'utf8') === text, name)
  assert.equal(readdirSync(referenceFolder).sort(), [...pages.keys()].sort())
  const linked = [...(pages.get('README.md') ?? '').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, page]) => page)
  assert.equal(['README.md', ...linked].sort(), [...pages.keys()].sort())
})

reference.run()

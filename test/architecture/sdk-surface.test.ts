import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeSurface, surfaceFile } from './sdk-surface.js'

const surface = suite('the surface of the sdk')
const remedy = 'if that is intended: npm run api'

surface('has nothing that sdk/api.txt does not list, and lacks nothing that it lists', () => {
  const listed = readFileSync(surfaceFile, 'utf8').split('\n')
  const actual = describeSurface().split('\n')
  assert.equal(
    actual.filter(line => !listed.includes(line)),
    [],
    `new in the sdk; ${remedy}`,
  )
  assert.equal(
    listed.filter(line => !actual.includes(line)),
    [],
    `gone from the sdk; ${remedy}`,
  )
})

/**
 * The goal for the main door is 200 names. What it has above that are the rules of names, quantities, selectors, addresses and field errors
 * (about 80) and the parts of schemas (50): nearly every type of every plugin imports both, so a door of their own would only give each of those
 * files a second import. The figure may only fall.
 */
const mostNames = 344

surface(`the main door has at most ${mostNames} names`, () => {
  const names = describeSurface()
    .split('\n')
    .filter(line => line.startsWith('orch/sdk '))
  assert.ok(names.length <= mostNames, `${names.length} names`)
})

surface.run()

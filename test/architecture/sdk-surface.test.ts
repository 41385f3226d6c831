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

surface.run()

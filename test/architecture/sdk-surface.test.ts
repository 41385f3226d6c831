import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeSurface, surfaceFile } from './sdk-surface.js'

const surface = suite('the surface of the sdk')
const remedy = 'if that is intended: npm run api'

surface('matches sdk/api.txt', () => {
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
    `removed from the sdk; ${remedy}`,
  )
})

/** The main entry point has what most plugins need; the rest has separate entry points (sdk/README.md). */
const mostNames = 200

surface(`the main entry point has at most ${mostNames} names`, () => {
  const names = describeSurface()
    .split('\n')
    .filter(line => line.startsWith('orch/sdk '))
  assert.ok(names.length <= mostNames, `${names.length} names`)
})

surface('each name is in one entry point', () => {
  const doorsOf = new Map<string, string[]>()
  for (const line of describeSurface().trim().split('\n')) {
    const [door = '', kind, name] = line.split(' ')
    const key = `${kind} ${name}`
    doorsOf.set(key, [...(doorsOf.get(key) ?? []), door])
  }
  const several = [...doorsOf].filter(([, doors]) => doors.length > 1).map(([name, doors]) => `${name}: ${doors}`)
  assert.equal(several, [])
})

surface.run()

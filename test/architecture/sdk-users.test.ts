import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeSurface } from './sdk-surface.js'
import { namesOfOne, possibleUsers, sdkTexts, unusedExports } from './sdk-users.js'
import type { Source } from './sources.js'

const users = suite('the users of the sdk')
const source = (text: string): Source => ({ path: 'plugins/quotas/a.ts', text, isTest: false })

users('every exported name has a user outside of the sdk', () => {
  assert.equal(unusedExports(describeSurface().trim().split('\n'), possibleUsers()), [])
})

users('a planted name without a user is found, also in another entry point', () => {
  const surface = ['orch/sdk const used', 'orch/sdk const unused', 'orch/sdk/core const used', 'orch/sdk type Inferred']
  const texts = [`import { other, type used } from 'orch/sdk'`, `declare const a: import("orch/sdk").Inferred;`]
  assert.equal(unusedExports(surface, texts.map(source)), ['orch/sdk const unused', 'orch/sdk/core const used'])
})

/**
 * The number of exported names with a single user outside. Each has a reason (see `Reason`); a name without one moves to its user.
 * Most are shapes: types of arguments and results, and parts of core types, which users of the whole must be able to name.
 */
const mostNamesOfOne = 231

users('a name with a single user has a reason to be in the sdk', () => {
  const found = namesOfOne(describeSurface().trim().split('\n'), possibleUsers(), sdkTexts())
  assert.equal(
    found.filter(({ reason }) => reason === undefined).map(({ line, user }) => `${line} (${user})`),
    [],
    'move them to their users',
  )
  assert.ok(found.length <= mostNamesOfOne, `${found.length} names`)
})

users('a planted name with a single user and no reason is found', () => {
  const surface = ['orch/sdk const lonely', 'orch/sdk type Shape', 'orch/sdk const helper', 'orch/sdk const two']
  const text = `import { lonely, type Shape, helper, two } from 'orch/sdk'`
  const other = { ...source(`import { two } from 'orch/sdk'`), path: 'plugins/nodes/a.ts' }
  const found = namesOfOne(surface, [source(text), other], {
    declarations: [source('export declare const lonely: () => void; export declare function make(shape: Shape): void')],
    code: [source('export function helper() {}\nexport const used = [...helper()]')],
    guides: [],
  })
  const reasons = Object.fromEntries(found.map(({ line, reason }) => [line.split(' ').at(-1), reason]))
  assert.equal(reasons, { lonely: undefined, Shape: 'shape', helper: 'shared' })
})

users.run()

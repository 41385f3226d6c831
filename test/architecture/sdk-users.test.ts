import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeSurface } from './sdk-surface.js'
import { possibleUsers, unusedExports } from './sdk-users.js'
import type { Source } from './sources.js'

const users = suite('the users of the sdk')
const source = (text: string): Source => ({ path: 'plugins/quotas/a.ts', text, isTest: false })

users('every name behind its doors has one outside', () => {
  assert.equal(unusedExports(describeSurface().trim().split('\n'), possibleUsers()), [])
})

users('a planted name without one is found, and behind another door too', () => {
  const surface = ['orch/sdk const used', 'orch/sdk const unused', 'orch/sdk/core const used', 'orch/sdk type Inferred']
  const texts = [`import { other, type used } from 'orch/sdk'`, `declare const a: import("orch/sdk").Inferred;`]
  assert.equal(unusedExports(surface, texts.map(source)), ['orch/sdk const unused', 'orch/sdk/core const used'])
})

users.run()

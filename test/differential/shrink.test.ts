import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Scenario, Step } from '../golden/scenario.js'
import { shrink, shrinkValue } from './shrink.js'

const request = (method: string, path: string, rest: Partial<Step> = {}): Step => ({ method, path, ...rest })
const conversation = (steps: Step[]): Scenario => ({ name: 'n', area: 'a', file: 'a/n.json', steps })

const shrinking = suite('shrinking a conversation')

shrinking('keeps the steps, parameters and fields that are needed to show the difference', async () => {
  const scenario = conversation([
    request('POST', '/a?x=1&y=2', {
      as: 'alice',
      body: { spec: { needed: [1, 2, 3], other: { deep: true } }, kind: 'K' },
    }),
    request('GET', '/a', { headers: { Accept: 'text/plain' } }),
    request('PUT', '/b'),
    request('GET', '/c?z=1', { headers: { Accept: 'a', 'X-Other': 'b' } }),
    request('GET', '/after'),
    request('DELETE', '/a', { cleanup: true }),
  ])
  const isShown = ({ steps }: Scenario) => {
    const created = steps.find(({ method }) => method === 'POST')
    const needed = (created?.body as { spec?: { needed?: number[] } } | undefined)?.spec?.needed
    const read = steps.find(({ path }) => path?.startsWith('/c'))
    return needed?.includes(2) === true && created?.path?.includes('y=2') === true && read?.headers?.['Accept'] === 'a'
  }
  const smallest = await shrink(scenario, 3, async smaller => isShown(smaller))
  assert.equal(smallest.steps, [
    request('POST', '/a?y=2', { body: { spec: { needed: [2] } } }),
    request('GET', '/c', { headers: { Accept: 'a' } }),
  ])
})

shrinking('respects the limit of attempts', async () => {
  let tried = 0
  const shows = async () => {
    tried++
    return false
  }
  const scenario = conversation(Array.from({ length: 30 }, (_, index) => request('GET', `/${index}?a=1`)))
  assert.is(await shrink(scenario, 29, shows, 10), scenario)
  assert.is(tried, 10)
})

shrinking('removes large parts of a value before small ones', async () => {
  const tried: unknown[] = []
  const value = { keep: { x: 1, y: 2 }, drop: { many: [1, 2, 3] } }
  const smallest = await shrinkValue(value, async smaller => {
    tried.push(smaller)
    return JSON.stringify(smaller).includes('"x"')
  })
  assert.equal(smallest, { keep: { x: 1 } })
  assert.equal(tried[0], { keep: { x: 1, y: 2 } })
})
shrinking.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { capacity, rawRate } from './worker-capacity.js'

const figures = suite('the capacity of a server of several processes')
const run = (...serverCpuMs: number[]) => ({ requests: 1000, wallMs: 1000, serverCpuMs, generatorCpuMs: 1000 })

figures('of one busy process is what it answers', () => {
  assert.is(rawRate(run(1000)), 1000)
  assert.is(capacity(run(1000), 2), 1000)
})
figures('of two even workers is all cores, although the generator had one of them', () => {
  assert.is(capacity(run(0, 500, 500), 2), 2000)
})
figures('counts what the primary takes', () => {
  assert.is(Math.round(capacity(run(200, 500, 500), 2)), 1667)
})
figures('is bound by the busier worker when connections are shared unevenly', () => {
  assert.is(capacity(run(0, 800, 200), 2), 1250)
})
figures('is never more than the cores there are', () => {
  assert.is(capacity(run(0, 250, 250, 250, 250), 2), 2000)
})
figures.run()

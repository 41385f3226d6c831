import { Registry } from 'prom-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Histogram } from './histogram.js'
import { PluginMetrics } from './plugin-metrics.js'

const histogram = suite('a histogram')

histogram('counts in every bucket that is large enough, by labels', async () => {
  const registry = new Registry()
  const durations = new Histogram(registry, 'd_seconds', 'How long.', [0.1, 1])
  const child = durations.child({ who: 'a' })
  for (const seconds of [0.05, 0.1, 0.5, 7]) child.observe(seconds)
  durations.child({ who: 'b' }).observe(1)
  const lines = (await registry.metrics()).trim().split('\n')
  assert.equal(lines, [
    '# HELP d_seconds How long.',
    '# TYPE d_seconds histogram',
    'd_seconds_bucket{who="a",le="0.1"} 2',
    'd_seconds_bucket{who="a",le="1"} 3',
    'd_seconds_bucket{who="a",le="+Inf"} 4',
    'd_seconds_sum{who="a"} 7.65',
    'd_seconds_count{who="a"} 4',
    'd_seconds_bucket{who="b",le="0.1"} 0',
    'd_seconds_bucket{who="b",le="1"} 1',
    'd_seconds_bucket{who="b",le="+Inf"} 1',
    'd_seconds_sum{who="b"} 1',
    'd_seconds_count{who="b"} 1',
  ])
})
histogram('of a plugin is the same whether labels are frozen or created each time', async () => {
  const registry = new Registry()
  const durations = new PluginMetrics(registry).histogram('d_seconds', 'How long.', ['who'], [1])
  const frozen = Object.freeze({ who: 'a' })
  for (const labels of [frozen, { who: 'a' }, frozen, { who: 'b' }]) durations.observe(0.5, labels)
  const text = await registry.metrics()
  assert.match(text, 'd_seconds_count{who="a"} 3')
  assert.match(text, 'd_seconds_count{who="b"} 1')
})

histogram.run()

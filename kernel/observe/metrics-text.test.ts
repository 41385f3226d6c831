import { Gauge, Histogram, Registry } from 'prom-client'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { metricsNamed, metricsText } from './metrics-text.js'

function someMetrics(): Registry {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({ name: 'depth', help: 'Depth of a queue.', labelNames: ['name'], registers }).set({ name: 'a' }, 3)
  const collected: Gauge = new Gauge({ name: 'size', help: 'Size.', registers, collect: () => collected.set(7) })
  new Histogram({ name: 'duration', help: 'Duration.', buckets: [1], registers }).observe(2)
  return registry
}

test('only the named metrics are returned, with their help', async () => {
  const expected =
    '# HELP depth Depth of a queue.\n# TYPE depth gauge\ndepth{name="a"} 3\n\n# HELP size Size.\n# TYPE size gauge\nsize 7\n'
  const registry = someMetrics()
  assert.is(await metricsText(registry, ['depth', 'size', 'depth', 'unknown', 'constructor']), expected)
  assert.is(metricsNamed(await registry.metrics(), ['depth', 'size', 'unknown']).trim(), expected.trim())
})

test('a histogram has its buckets', async () => {
  const registry = someMetrics()
  assert.match(await metricsText(registry, ['duration']), 'duration_bucket{le="1"} 0')
  assert.match(metricsNamed(await registry.metrics(), ['duration']), 'duration_count 1')
})

test('without names all metrics are returned', async () => {
  const registry = someMetrics()
  assert.is(await metricsText(registry, []), await registry.metrics())
  assert.is(metricsNamed('any', []), 'any')
})

test.run()

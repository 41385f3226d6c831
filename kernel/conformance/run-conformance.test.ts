import { defineController, definePlugin } from 'orch/sdk'
import { describeConformance, pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BootError } from '../boot/boot-errors.js'
import { brokenPlugins, soundPlugin } from './broken-plugins.js'
import { junitReport } from './conformance-report.js'

const conformance = suite('conformance of a plugin')

conformance('nothing is found where nothing is wrong', async () => {
  const report = await pluginConformance({ plugin: soundPlugin, samples: 20 })
  assert.is(report.failed, 0, await describeConformance(report))
  assert.ok(report.passed > 35, `${report.passed} passed`)
})

for (const [title, { plugin, finds, says }] of Object.entries(brokenPlugins)) {
  conformance(`finds ${title}`, async () => {
    // Controls are judged by what the requests of the battery did to them.
    const only = finds === 'changes only what it may' ? {} : { only: finds }
    const report = await pluginConformance({ plugin, samples: 20, ...only })
    const failure = report.results.find(each => each.outcome === 'failed' && each.title.includes(finds))
    assert.ok(failure, await describeConformance(report))
    assert.match(failure?.message ?? '', new RegExp(says.source, 's'))
    assert.match(failure?.reproduce ?? '', /^orch conformance gadgets --only "/)
  })
}

conformance('finds what a control loop leaves open', async () => {
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setInterval(() => {}, 1000)
    return async () => {}
  }
  const plugin = definePlugin({
    name: 'leaky',
    register: to => to.controller(defineController({ name: 'drip', start })),
  })
  const report = await pluginConformance({ plugin, only: 'leaves nothing open' })
  clearInterval(timer)
  assert.match(report.results[0]?.message ?? '', /still open after stop: 1 Timeout/)
})

conformance('a seed brings the same failure again, alone', async () => {
  const { plugin, finds } = brokenPlugins['validation that throws']!
  const first = (await pluginConformance({ plugin, only: finds })).results[0]
  const seed = Number(/--seed (\d+)/.exec(first?.reproduce ?? '')?.[1])
  const again = (await pluginConformance({ plugin, only: finds, seed, samples: 1 })).results[0]
  assert.equal([again?.outcome, again?.message], ['failed', first?.message])
})

conformance('tells build servers what failed', async () => {
  const { plugin, finds } = brokenPlugins['validation that throws']!
  const text = junitReport(await pluginConformance({ plugin, only: finds }))
  assert.match(text, /<testsuite name="gadgets" tests="1" failures="1" skipped="0">/)
  assert.match(text, /<testcase classname="resource gadgets\.acme\.test v1" .*<failure message="Cannot read/)
})

conformance('a plugin that does not boot is no conformance failure but an error', async () => {
  const plugin = definePlugin({ name: 'needy', requires: ['ghost'], register() {} })
  const error = await pluginConformance({ plugin }).catch((thrown: unknown) => thrown)
  assert.instance(error, BootError)
})

conformance.run()

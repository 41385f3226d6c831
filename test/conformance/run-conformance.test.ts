import { definePlugin } from 'orch/sdk'
import {
  type CheckResult,
  describeConformance,
  describeFailures,
  junitReport,
  pluginConformance,
} from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BootError } from '../../kernel/contracts/boot-errors.js'
import { brokenPlugins, samplesOf } from './broken-plugins.js'
import { gadgetSamples } from './gadgets.js'

const conformance = suite('conformance of a plugin')
const throwing = brokenPlugins['validation that throws']!
const { finds } = throwing

for (const [title, broken] of Object.entries(brokenPlugins)) {
  conformance(`finds ${title}`, async () => {
    // Controls are checked by the effects of requests: the checks of changes are enough.
    const only = broken.finds === 'changes only what it may' ? 'change' : broken.finds
    const report = await pluginConformance({ plugin: broken.plugin, given: samplesOf(broken), samples: 20, only })
    broken.cleanUp?.()
    const failure = report.results.find(each => each.outcome === 'failed' && each.title.includes(broken.finds))
    assert.ok(failure, describeConformance(report))
    for (const says of [broken.says].flat()) assert.match(failure?.message ?? '', says)
    assert.match(failure?.reproduce ?? '', /^orch conformance gadgets --only "/)
  })
}

conformance('a seed reproduces a single failure', async () => {
  const run = { plugin: throwing.plugin, given: gadgetSamples, only: finds }
  const first = (await pluginConformance(run)).results[0]
  const seed = Number(/--seed (\d+)/.exec(first?.reproduce ?? '')?.[1])
  const again = (await pluginConformance({ ...run, seed, samples: 1 })).results[0]
  assert.equal([again?.outcome, again?.message], ['failed', first?.message])
})

conformance('reports failures for people and for CI, while it runs and at the end', async () => {
  const told: CheckResult[] = []
  const onResult = (result: CheckResult) => void told.push(result)
  const report = await pluginConformance({ plugin: throwing.plugin, given: gadgetSamples, only: finds, onResult })
  assert.equal(told, report.results)
  const text = junitReport(report)
  assert.match(text, /<testsuite name="gadgets" tests="1" failures="1" skipped="0">/)
  assert.match(text, /<testcase classname="resource gadgets\.acme\.test v1" .*<failure message="Cannot read/)
  assert.match(
    describeFailures(report),
    /FAIL validation never throws.*\n.*Cannot read.*\n.*again: orch conformance gadgets/,
  )
  assert.match(describeFailures(report), /\ngadgets: 0 passed, 1 failed, 0 skipped\n$/)
})

conformance('a plugin that does not boot is an error, not a conformance failure', async () => {
  const plugin = definePlugin({ name: 'needy', requires: ['ghost'], register() {} })
  const error = await pluginConformance({ plugin }).catch((thrown: unknown) => thrown)
  assert.instance(error, BootError)
})

conformance.run()

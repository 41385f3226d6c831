import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessChecks } from './access-checks.js'
import { AdmissionWatch } from './admission-watch.js'
import { authenticatorChecks } from './authenticator-checks.js'
import type { Check, CheckSettings } from './check.js'
import { type CheckResult, type ConformanceReport, reportOf, resultOf } from './conformance-report.js'
import type { ConformanceRun } from './conformance-run.js'
import { foreignChecks } from './foreign-checks.js'
import { lifecycleChecks } from './lifecycle-checks.js'
import { own, type PluginUnderTest, pluginUnderTest } from './plugin-under-test.js'
import { ProbeServer } from './probe-server.js'
import { requestChecks } from './request-checks.js'
import { restartChecks } from './restart-checks.js'
import { type Lanes, runLanes } from './run-lanes.js'
import { resourceName, typeChecks } from './type-checks.js'
import { verbChecks } from './verb-checks.js'

const defaultSamples = 50

/**
 * Boots a server with a plugin and tries everything it registers, as `orch conformance` does: types through the whole
 * API and with random objects, access, admission controls with frozen objects, authentication with unknown credentials,
 * control loops across restarts, start and stop. Throws when the plugin does not boot.
 */
export async function pluginConformance(run: ConformanceRun): Promise<ConformanceReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-conformance-'))
  try {
    return await runIn(folder, run)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runIn(folder: string, run: ConformanceRun): Promise<ConformanceReport> {
  const settings = { seed: run.seed ?? 1, samples: run.samples ?? defaultSamples }
  const plugin = await pluginUnderTest(run, folder)
  const watch = new AdmissionWatch(plugin)
  const probes = { quiet: new ProbeServer(plugin, watch, 'quiet'), busy: new ProbeServer(plugin, watch, 'busy') }
  const results: CheckResult[] = []
  const command = `orch conformance ${typeof run.plugin === 'string' ? run.plugin : plugin.name}`
  const isChosen = (check: Check) => `${check.subject}: ${check.title}`.includes(run.only ?? '')
  const report = (result: CheckResult) => {
    results.push(result)
    run.onResult?.(result)
  }
  // Between two servers nothing may be open but the process of an isolated plugin, which keeps no program alive.
  const alive = setInterval(() => {}, 60_000)
  try {
    for await (const lanes of lanesOf(plugin, probes, watch, settings)) {
      await runLanes(
        lanes.map(lane => lane.filter(isChosen)),
        check => resultOf(check, command),
        report,
      )
    }
  } finally {
    await probes.quiet.stop()
    await probes.busy.stop()
    await plugin.close()
    clearInterval(alive)
  }
  return reportOf(plugin.name, results)
}

/** One server for most requests. Control loops would change objects between two steps: those that need them have another. */
export interface Probes {
  readonly quiet: ProbeServer
  readonly busy: ProbeServer
}

/** In this order: leaks are detected before other checks open resources; controls are evaluated after all requests. */
async function* lanesOf(
  plugin: PluginUnderTest,
  probes: Probes,
  watch: AdmissionWatch,
  settings: CheckSettings,
): AsyncGenerator<Lanes> {
  const { resources, registry, name } = plugin
  yield [lifecycleChecks(plugin)]
  yield [resources.flatMap(resource => typeChecks(resource, plugin.vendor, settings))]
  // One after the other: the effect of a dry run would be visible anywhere in the store.
  yield [
    [...resources.flatMap(each => requestChecks(each, probes.quiet, settings)), ...foreignChecks(plugin, probes.quiet)],
  ]
  // Types that share their objects would interfere with each other.
  const batteries = new Map<string, Check[]>()
  for (const each of resources) {
    // Only a loop releases objects that it holds.
    const probe = each.deletion?.blocksDeletion ? probes.busy : probes.quiet
    const lane = resourceName(each.storedAs ?? each)
    const checks = [...accessChecks(each, probes.quiet), ...(await verbChecks(each, probe, settings))]
    batteries.set(lane, [...(batteries.get(lane) ?? []), ...checks])
  }
  for (const { definition, addedBy = {} } of registry.resources)
    if (Object.values(addedBy).includes(name))
      batteries.set(resourceName(definition), accessChecks(definition, probes.quiet))
  yield [...batteries.values()]
  yield [own(registry.admissions, name).flatMap(control => watch.checksOf(control.name))]
  yield own(registry.authenticators, name).map(method =>
    authenticatorChecks(method, () => probes.quiet.servicesOf(method), settings),
  )
  yield [restartChecks(plugin)]
}

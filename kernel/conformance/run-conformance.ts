import type { ConformanceSamples, PluginEntry } from 'orch/sdk'
import { AdmissionWatch } from './admission-watch.js'
import { authenticatorChecks } from './authenticator-checks.js'
import type { Check, CheckSettings } from './check.js'
import { type CheckResult, type ConformanceReport, reportOf, resultOf } from './conformance-report.js'
import { lifecycleChecks } from './lifecycle-checks.js'
import { own, type PluginUnderTest, pluginUnderTest } from './plugin-under-test.js'
import { ProbeServer } from './probe-server.js'
import { requestChecks } from './request-checks.js'
import { typeChecks } from './type-checks.js'
import { verbChecks } from './verb-checks.js'

export interface ConformanceRun {
  /** An imported plugin, a package name, or a path to a .ts or .js file. */
  readonly plugin: PluginEntry
  /** Paths and package names are relative to this folder; the working directory by default. */
  readonly fromDir?: string
  /** Beside, and instead of, what the module exports as `conformance`. */
  readonly given?: ConformanceSamples
  /** The first seed of random objects; 1 by default. */
  readonly seed?: number
  /** How many random objects of each type; 50 by default. */
  readonly samples?: number
  /** Only checks whose `subject: title` contains this text. */
  readonly only?: string
}

const defaultSamples = 50

/** Boots a kernel with the plugin and tries everything it registers. Throws a BootError when the plugin does not boot. */
export async function runConformance(run: ConformanceRun): Promise<ConformanceReport> {
  const { fromDir = process.cwd(), only = '' } = run
  const settings = { seed: run.seed ?? 1, samples: run.samples ?? defaultSamples }
  const plugin = await pluginUnderTest(run.plugin, fromDir, run.given)
  const probe = new ProbeServer(plugin)
  const results: CheckResult[] = []
  const command = `orch conformance ${typeof run.plugin === 'string' ? run.plugin : plugin.name}`
  try {
    for await (const check of checksOf(plugin, probe, settings)) {
      const isChosen = `${check.subject}: ${check.title}`.includes(only)
      if (!isChosen && !check.isCleanup) continue
      const result = await resultOf(check, command)
      if (!check.isCleanup || result.outcome === 'failed') results.push(result)
    }
  } finally {
    await probe.stop()
  }
  return reportOf(plugin.name, results)
}

/** In this order: what leaves things open is found before others open some; controls are judged after all requests. */
async function* checksOf(plugin: PluginUnderTest, probe: ProbeServer, settings: CheckSettings): AsyncGenerator<Check> {
  const watch = new AdmissionWatch()
  yield* lifecycleChecks(plugin)
  for (const resource of plugin.resources) yield* typeChecks(resource, plugin.vendor, settings)
  for (const resource of plugin.resources) yield* requestChecks(resource, probe, settings)
  for (const resource of plugin.resources) yield* await verbChecks(resource, plugin, probe, watch, settings)
  for (const { name } of own(plugin.registry.admissions, plugin.name)) yield* watch.checksOf(name)
  for (const method of own(plugin.registry.authenticators, plugin.name))
    yield* authenticatorChecks(method, () => probe.servicesOf(method))
}

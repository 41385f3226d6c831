import { setTimeout as sleep } from 'node:timers/promises'
import { bootPlugins, type Registry } from '../../../kernel/index.js'
import type { PluginEntry } from '../../index.js'
import { startServer } from '../start-server.js'
import type { Check } from './check.js'
import { expectSame } from './deep-freeze.js'
import { closeIsolated, own, type PluginUnderTest } from './plugin-under-test.js'

const settleTries = 120
const settlePollMs = 50

/** Registering is declarative; what starts also stops, and nothing stays behind. */
export function lifecycleChecks(plugin: PluginUnderTest): Check[] {
  const subject = `plugin ${plugin.name}`
  const everything: PluginEntry[] = [...plugin.others, plugin.entry]
  const vendor = plugin.vendor.profile
  return [
    {
      subject,
      title: 'registering is repeatable and opens nothing',
      async run() {
        const before = await openResources()
        const booted = await bootPlugins({ config: { plugins: everything, vendor, ...plugin.newOptions() } })
        await closeIsolated(booted)
        expectSame(
          contentsOf(booted.registry, plugin.name),
          contentsOf(plugin.registry, plugin.name),
          'registered differently',
        )
        await expectNothingLeft(before)
      },
    },
    {
      subject,
      title: 'starts and stops, also twice, and leaves nothing open',
      async run() {
        // The first start loads modules that stay loaded, whatever the plugin does.
        await (await startServer({ plugins: plugin.others, vendor, options: plugin.newOptionsOfOthers() })).stop()
        const before = await openResources()
        const server = await startServer({ plugins: everything, vendor, options: plugin.newOptions() })
        await server.stop()
        await server.stop()
        await expectNothingLeft(before)
      },
    },
  ]
}

const contentsOf = (registry: Registry, plugin: string) => ({
  resources: own(registry.resources, plugin).map(({ group, resource }) => `${resource}.${group}`),
  admission: own(registry.admissions, plugin).map(({ name }) => name),
  authenticators: own(registry.authenticators, plugin).map(({ name }) => name),
  controllers: own(registry.controllers, plugin).map(({ name }) => name),
})

type Counts = ReadonlyMap<string, number>

/** What keeps this process alive, counted by kind. Our own pause would be a timer, so it has ended by then. */
async function openResources(): Promise<Counts> {
  await sleep(settlePollMs)
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

async function expectNothingLeft(before: Counts): Promise<void> {
  let left: string[] = []
  for (let tries = 0; tries < settleTries; tries++) {
    left = [...(await openResources())]
      .filter(([kind, count]) => count > (before.get(kind) ?? 0))
      .map(([kind, count]) => `${count - (before.get(kind) ?? 0)} ${kind}`)
    if (left.length === 0) return
  }
  throw new Error(`still open after stop: ${left.join(', ')}. Close it in the function that start returns`)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiObject } from '../../index.js'
import { makeNamespace } from '../make-namespace.js'
import { startServer, type TestServer } from '../start-server.js'
import type { Check } from './check.js'
import { expectSame } from './deep-freeze.js'
import { LoopRights } from './loop-rights.js'
import { own, type PluginUnderTest } from './plugin-under-test.js'
import { resourceName } from './type-checks.js'
import { clientOf, typesOf, untilQuiet } from './until-quiet.js'

const namespace = 'conformance'
const restarts = 4

/** Control loops are stopped in the middle of their work, and started again when there is nothing left to do. */
export function restartChecks(plugin: PluginUnderTest): Check[] {
  const definitions = own(plugin.registry.controllers, plugin.name)
  const loops = definitions.map(({ name }) => name)
  if (loops.length === 0) return []
  const subject = `controllers ${loops.join(', ')}`
  const rights = new LoopRights(plugin.vendor)
  const run = async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'orch-conformance-'))
    try {
      await settles(plugin, loops, dataDir, rights)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  // One run serves both checks, whichever of them is chosen.
  let running: Promise<void> | undefined
  const haveRun = () => (running ??= run())
  return [
    { subject, title: 'continue after a restart, and change nothing that is already reconciled', run: haveRun },
    {
      subject,
      title: 'make no request that their rules do not allow',
      async run() {
        await haveRun().catch(() => {})
        const refused = rights.refusedTo(definitions.map(({ account, name }) => account ?? name))
        if (refused.length > 0) throw new Error(`denied for lack of a rule: ${refused.join('; ')}. Add it to \`rules\``)
      },
    },
  ]
}

/** On a busy machine a loop may not have finished when it was stopped. Once it has, another start changes nothing. */
async function settles(
  plugin: PluginUnderTest,
  loops: readonly string[],
  dataDir: string,
  rights: LoopRights,
): Promise<void> {
  const options = { ...plugin.newOptions(), controllers: ['*', ...loops] }
  const during = async <T>(work: (server: TestServer) => Promise<T>): Promise<T> => {
    const plugins = [...plugin.others, plugin.entry, rights.plugin()]
    const server = await startServer({ plugins, vendor: plugin.vendor.profile, options, dataDir })
    return work(server).finally(() => server.stop())
  }
  await during(server => createSamples(plugin, server))
  const settled = async (server: TestServer) => {
    await untilQuiet(plugin, server)
    return contentsOf(plugin, server)
  }
  let before = await during(settled)
  for (let tries = 1; ; tries++) {
    const after = await during(settled)
    try {
      return expectSame(after, before, `start ${tries + 2} of the loops still changes objects`)
    } catch (difference) {
      if (tries >= restarts) throw difference
      before = after
    }
  }
}

/** One object of every type. Objects that are rejected for other reasons do not matter for restarts. */
async function createSamples(plugin: PluginUnderTest, server: TestServer): Promise<void> {
  await makeNamespace(server, namespace)
  for (const type of typesOf(plugin)) {
    const sample = (plugin.samples.samples?.[resourceName(type)]?.valid() ?? {}) as ApiObject
    const all = clientOf(server, type)
    const object = { ...sample, metadata: { name: 'restarted', ...sample.metadata } }
    await (type.namespaced ? all.in(namespace) : all).create(object).catch(() => {})
  }
}

async function contentsOf(plugin: PluginUnderTest, server: TestServer): Promise<unknown> {
  const contents: Record<string, unknown> = {}
  for (const type of typesOf(plugin)) contents[resourceName(type)] = (await clientOf(server, type).list()).items
  return contents
}

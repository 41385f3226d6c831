import { join } from 'node:path'
import { defineStartTask, type IsolationSettings, services, type Vendor } from 'orch/sdk'
import { startControlLoop } from 'orch/sdk/controllers'
import { pluginHost } from 'orch/sdk/proposed'
import { ConformanceChecks } from './conformance-checks.js'
import type { InstalledState } from './installed-state.js'
import { signingKeysFrom } from './package-signature.js'
import { PluginInstaller } from './plugin-installer.js'
import { pluginCollection } from './plugins/resource.js'
import type { Plugin } from './plugins/schema.js'

export interface PluginSources {
  /** The folder that contains the packages. */
  readonly folder: string
  /** Files with the public keys that packages must be signed with. */
  readonly keyFiles: readonly string[]
  /** Resource limits of a plugin in a separate process. */
  readonly isolation: Omit<IsolationSettings, 'grade'>
}

/**
 * Reconciles the plugins of this server with the objects. It is not an ordinary control loop, because
 * every server loads its own plugins, leader or not, and it acts on the server itself.
 */
export const followPlugins = (vendor: Vendor, { folder, keyFiles, isolation }: PluginSources, state: InstalledState) =>
  defineStartTask({
    name: 'installed plugins',
    needs: {
      client: services.client,
      clock: services.clock,
      logger: services.logger,
      metrics: services.metrics,
      host: pluginHost,
      server: services.server,
    },
    async run({ host, server, ...runtime }) {
      const resource = pluginCollection(vendor)
      const plugins = runtime.client.resource<Plugin>(resource)
      const { program } = server
      const checks = new ConformanceChecks({ plugins, clock: runtime.clock, logger: runtime.logger, program })
      const installer = new PluginInstaller({
        host,
        plugins,
        folder,
        stage: join(server.dataDir, 'installed-plugins'),
        signingKeys: signingKeysFrom(keyFiles),
        isolation,
        clock: runtime.clock,
        logger: runtime.logger,
        state,
        checks,
      })
      const there = await plugins.list()
      state.await(there.items.map(({ metadata }) => metadata?.name ?? ''))
      host.readyAfter(state.settled)
      const stopListening = host.onHealth(plugin => void installer.healthChanged(plugin))
      const stop = await startControlLoop({
        ...runtime,
        name: 'installed-plugins',
        // One plugin may require another, so they are loaded one after the other.
        workers: 1,
        sources: [{ resource }],
        reconcile: (key, caches) => installer.reconcile(key, name => caches.of<Plugin>(resource).get('', name)),
      })
      return async () => {
        stopListening()
        checks.close()
        await stop()
      }
    },
  })

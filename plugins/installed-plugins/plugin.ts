import { resolve } from 'node:path'
import { definePlugin, parseDuration, Type } from 'orch/sdk'
import { followPlugins } from './follow-plugins.js'
import { installedCommand } from './installed-command.js'
import { InstalledState } from './installed-state.js'
import { plugins } from './plugins/resource.js'

export { conformance } from './conformance.js'

export const installedPlugins = definePlugin({
  name: 'installed-plugins',
  proposed: ['pluginHost'],
  options: Type.Object({
    pluginFolder: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Folder of plugins that may be loaded while the server runs, by objects of the type Plugin. Anyone who may write these objects can run the code in this folder inside the server. Without it there is no such type.',
      }),
    ),
    pluginSigningKeys: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Files with public keys (Ed25519, PEM). If any are given, only packages whose hash was signed by one of them (spec.signature) are loaded.',
    }),
    isolatedPluginTimeout: Type.String({
      format: 'duration',
      default: '5s',
      description:
        'How long a call to a plugin in a separate process (spec.isolation: worker) may take. A process that takes longer is killed and restarted.',
    }),
    isolatedPluginStartTimeout: Type.String({
      format: 'duration',
      default: '20s',
      description: 'How long such a process may take to load its plugin.',
    }),
    isolatedPluginRestartDelay: Type.String({
      format: 'duration',
      default: '250ms',
      description:
        'The delay before such a process is restarted after a failure. It doubles with every further failure, up to a minute.',
    }),
    isolatedPluginMemory: Type.Integer({
      minimum: 32,
      default: 256,
      description: 'Memory limit of such a process, in megabytes. A process that needs more is killed and restarted.',
    }),
    loadInstalledPlugins: Type.Boolean({
      default: true,
      description:
        'Load the plugins of objects of the type Plugin. If false, the objects are served and nothing is loaded, so that a plugin that breaks the server can be changed or deleted.',
    }),
  }),
  register(to, { vendor, options }) {
    const { pluginFolder, pluginSigningKeys, loadInstalledPlugins } = options
    if (pluginFolder === undefined) return
    to.resource(plugins(vendor))
    to.command(installedCommand(vendor))
    if (!loadInstalledPlugins) return
    const state = new InstalledState()
    const sources = {
      folder: resolve(pluginFolder),
      keyFiles: pluginSigningKeys.map(file => resolve(file)),
      isolation: {
        callTimeoutMs: parseDuration(options.isolatedPluginTimeout),
        startTimeoutMs: parseDuration(options.isolatedPluginStartTimeout),
        restartDelayMs: parseDuration(options.isolatedPluginRestartDelay),
        memoryMegabytes: options.isolatedPluginMemory,
      },
    }
    to.onStart(followPlugins(vendor, sources, state))
    to.healthCheck({
      name: 'installed-plugins',
      endpoints: ['readyz'],
      check() {
        if (!state.isSettled) throw new Error('installed plugins are not loaded yet')
      },
    })
  },
})

/**
 * Names that are not settled: they may change or disappear in any minor version. A plugin lists those that it uses
 * (`proposed: ['sharedWork']` of `definePlugin`), otherwise the server does not load it.
 */
export {
  type HostedPlugin,
  type PluginHealth,
  type PluginHost,
  type PluginPlace,
  pluginHost,
} from '../server/plugin-host.js'
export { type SharedWork, sharedWork } from '../server/shared-work.js'

import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { Plugin } from './plugins/schema.js'

/** Samples for `orch conformance`. The type is served only if a plugin folder is configured. */
export const conformance = (vendor: Vendor, folder: string): ConformanceSamples => ({
  // The checks write the status of samples themselves.
  options: { pluginFolder: folder, loadInstalledPlugins: false },
  samples: {
    [`plugins.${vendor.group('plugins')}`]: {
      valid: (): Plugin => ({ spec: { package: 'widgets', enabled: false } }),
      invalid: {
        'a path that leaves the folder': (object: Plugin) => {
          object.spec = { package: '../widgets' }
        },
        'a hash of another kind': (object: Plugin) => {
          object.spec = { package: 'widgets', integrity: 'md5-xyz' }
        },
        'a signature that is too short': (object: Plugin) => {
          object.spec = { package: 'widgets', signature: 'c2hvcnQ=' }
        },
        'options that are a list': (object: Plugin) => {
          object.spec = { package: 'widgets', options: [1] }
        },
      },
      update: (object: Plugin) => {
        object.spec = { package: 'gadgets', enabled: false }
      },
    },
  },
})

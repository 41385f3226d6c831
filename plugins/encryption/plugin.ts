import { definePlugin } from 'orch/sdk'
import { defineStoreLayer } from 'orch/sdk/host'
import type { KeyRing } from './key-ring.js'
import { encryptionNames } from './names.js'
import { readNotedKeys } from './noted-keys.js'
import { EncryptionOptions } from './options.js'
import { reencryptCommand } from './reencrypt-command.js'

/** Encryption at rest: the objects of the resources that a file names are stored encrypted, on every engine. */
export const encryption = definePlugin({
  name: 'encryption',
  options: EncryptionOptions,
  register(to, { vendor, options }) {
    const names = encryptionNames(vendor)
    const isConfigured = options.encryptionProviderConfig !== undefined
    let ring: KeyRing | undefined
    const use = (current: KeyRing) => {
      ring = current
    }
    to.storeLayer(
      defineStoreLayer({
        name: 'encryption',
        async wrap(store, context) {
          const { noted } = await readNotedKeys(store)
          // Without keys, encrypted objects in the store must still be reported.
          if (!isConfigured && noted.size === 0) return store
          const { openEncryption } = await import('./open-encryption.js')
          return await openEncryption(store, { ...context, options, names, noted, use })
        },
        async examine(store, context) {
          const { examine } = await import('./examine.js')
          return await examine(options.encryptionProviderConfig, names, store, context)
        },
      }),
    )
    to.command(reencryptCommand)
    if (!isConfigured) return
    to.healthCheck({
      name: 'kms-providers',
      check() {
        const problem = ring?.kmsKeys.find(key => key.problem)?.problem
        if (problem) throw problem
      },
    })
  },
})

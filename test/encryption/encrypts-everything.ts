import { randomBytes } from 'node:crypto'
import type { Store } from 'orch/sdk/host'
import { fakeLogger } from 'orch/sdk/testing'
import { realClock } from '../../kernel/observe/real-clock.js'
import type { ProviderConfiguration } from '../../plugins/encryption/configuration/encryption-configuration.js'
import { parsePattern } from '../../plugins/encryption/configuration/resource-patterns.js'
import { EncryptedStore } from '../../plugins/encryption/encrypted-store.js'
import { makeKeyRing } from '../../plugins/encryption/key-ring.js'

export const aesGcm: ProviderConfiguration = { kind: 'aesgcm', keys: [{ name: 'key1', secret: randomBytes(32) }] }

/** Encrypts every key of a store, without storing metadata, because the contract counts keys and revisions. */
export async function encryptsEverything(store: Store, provider: ProviderConfiguration): Promise<Store> {
  const configuration = [{ resources: [parsePattern('*.*')], providers: [provider] }]
  const options = { clock: realClock, logger: fakeLogger(), mark: 'orch:enc:', noted: new Set<string>() }
  const ring = await makeKeyRing(configuration, options)
  for (const key of ring.kmsKeys) await key.start()
  return new EncryptedStore(store, {
    ring: () => ring,
    onClose() {
      for (const key of ring.kmsKeys) key.close()
    },
  })
}

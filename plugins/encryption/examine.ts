import { readFileSync, statSync } from 'node:fs'
import type { LayerFinding, Store, StoreLayerContext } from 'orch/sdk/host'
import { readEncryptionConfiguration } from './configuration/encryption-configuration.js'
import { nameOfKey } from './envelope.js'
import { KeyRing, makeKeyRing } from './key-ring.js'
import type { EncryptionNames } from './names.js'
import { type Noted, readNotedKeys } from './noted-keys.js'
import { differentSecrets, missingKeys } from './open-encryption.js'

/** Access for users other than the owner. */
const othersMode = 0o077

/** Checks whether stored objects can be decrypted and new ones encrypted. `path` is that of the configuration, if there is one. */
export async function examine(
  path: string | undefined,
  { kinds, mark }: EncryptionNames,
  store: Pick<Store, 'get'> | undefined,
  context: StoreLayerContext,
): Promise<LayerFinding[]> {
  const noted: Noted = store ? (await readNotedKeys(store)).noted : new Map()
  if (path === undefined) return ofStore(new KeyRing([], [], new Set(noted.keys())), noted)
  let ring: KeyRing
  try {
    const configuration = readEncryptionConfiguration(readFileSync(path, 'utf8'), kinds)
    ring = await makeKeyRing(configuration, { ...context, mark, noted: new Set(noted.keys()) })
  } catch (error) {
    const what = `--encryption-provider-config ${path} cannot be used: ${(error as Error).message}`
    return [{ grade: 'wrong', what, remedy: 'Correct it; a running server keeps the previous one' }]
  }
  const findings = [...ofFile(path), ...ofStore(ring, noted), ...(await ofPlugins(ring))]
  const fine = {
    grade: 'fine',
    what: `--encryption-provider-config ${path} has all keys that the store needs`,
  } as const
  return findings.length > 0 ? findings : [fine]
}

function ofFile(path: string): LayerFinding[] {
  const { mode } = statSync(path)
  if ((mode & othersMode) === 0) return []
  const what = `${path} has mode ${(mode & 0o777).toString(8)}: other users may read its keys`
  return [{ grade: 'warning', what, remedy: `chmod 600 ${path}` }]
}

function ofStore(ring: KeyRing, noted: Noted): LayerFinding[] {
  const missing = [...missingKeys(ring, noted)].map(([prefix, resources]): LayerFinding => {
    const what = `${resources.join(', ')} may be encrypted with ${nameOfKey(prefix)}, which is missing`
    return {
      grade: 'wrong',
      what,
      remedy: 'Restore it in --encryption-provider-config; no data is lost',
    }
  })
  const others = differentSecrets(ring, noted).map((what): LayerFinding => {
    return { grade: 'wrong', what, remedy: 'Restore that one, and give a new key another name' }
  })
  return [...missing, ...others]
}

/** KMS plugins are on this machine, behind a socket. */
async function ofPlugins({ kmsKeys }: KeyRing): Promise<LayerFinding[]> {
  const findings = await Promise.all(
    kmsKeys.map(async (key): Promise<LayerFinding[]> => {
      try {
        await key.start()
        return []
      } catch (error) {
        const remedy = 'Start the plugin, or see its log; objects that it encrypts cannot be written until it responds'
        return [{ grade: 'wrong', what: (error as Error).message, remedy }]
      } finally {
        key.close()
      }
    }),
  )
  return findings.flat()
}

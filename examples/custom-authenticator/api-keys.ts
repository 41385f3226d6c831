import { createHash, timingSafeEqual } from 'node:crypto'
import type { UserInfo } from 'orch/sdk'

interface Entry {
  readonly hash: Buffer
  readonly user: UserInfo
}
/** The hash of a key, as in the file. Keys are long and random, so a plain hash is enough. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Users by key. The file only has hashes, so reading it gives no access. Lines: `hash,user,group1;group2`. */
export class ApiKeys {
  readonly #entries: readonly Entry[]

  constructor(text: string) {
    this.#entries = text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '' && !line.startsWith('#'))
      .map((line, index) => {
        const [hash = '', name = '', groups = ''] = line.split(',')
        // The line could contain a key by mistake, so it is not quoted.
        if (!/^[0-9a-f]{64}$/.test(hash) || name === '') throw new Error(`entry ${index + 1} is not "hash,user,groups"`)
        return { hash: Buffer.from(hash, 'hex'), user: { name, groups: groups.split(';').filter(Boolean) } }
      })
  }

  /** Takes the same time for invalid and valid keys. */
  userOf(key: string): UserInfo | undefined {
    const hash = hashOf(key)
    return this.#entries.filter(entry => timingSafeEqual(entry.hash, hash))[0]?.user
  }
}

import { createHash, timingSafeEqual } from 'node:crypto'
import type { UserInfo } from 'orch/sdk'

interface Entry {
  readonly hash: Buffer
  readonly user: UserInfo
}
/** The hash of a key, as the file has it. Keys are long and random, so a plain hash is enough. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Who has which key. The file has hashes only: whoever reads it cannot come in. Lines: `hash,user,group1;group2`. */
export class ApiKeys {
  readonly #entries: readonly Entry[]

  constructor(text: string) {
    this.#entries = text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '' && !line.startsWith('#'))
      .map((line, index) => {
        const [hash = '', name = '', groups = ''] = line.split(',')
        // The line could hold a key by mistake, so it is not quoted.
        if (!/^[0-9a-f]{64}$/.test(hash) || name === '') throw new Error(`entry ${index + 1} is not "hash,user,groups"`)
        return { hash: Buffer.from(hash, 'hex'), user: { name, groups: groups.split(';').filter(Boolean) } }
      })
  }

  /** Takes as long for a wrong key as for a right one. */
  userOf(key: string): UserInfo | undefined {
    const hash = hashOf(key)
    return this.#entries.filter(entry => timingSafeEqual(entry.hash, hash))[0]?.user
  }
}

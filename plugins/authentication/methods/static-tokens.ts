import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineAuthenticator, type UserInfo } from 'orch/sdk'
import { readOnce } from '../read-once.js'
import type { Method } from './method.js'
import { hashOf, parseTokenFile } from './token-file.js'

/** Static token file: CSV of token, user name, uid and optional groups. Read once; changing it needs a restart. */
export function staticTokens(path: string): Method<Record<never, never>> {
  const tokens = readOnce(() => parseTokenFile(readFileSync(path, 'utf8'), path))
  return {
    authenticator: defineAuthenticator({
      name: 'static-tokens',
      kind: 'bearer',
      authenticate({ bearerToken = '' }) {
        const hash = hashOf(bearerToken)
        // Hashes have one length and every entry is compared, so the time tells nothing about the tokens.
        let found: UserInfo | undefined
        for (const token of tokens()) if (timingSafeEqual(token.hash, hash)) found = token.user
        return found && { user: found }
      },
    }),
    check: { name: 'static tokens', run: () => void tokens() },
  }
}

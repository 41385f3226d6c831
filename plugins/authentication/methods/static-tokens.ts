import { timingSafeEqual } from 'node:crypto'
import { ChangingFiles, defineAuthenticator, type Resolved, services, type UserInfo } from 'orch/sdk'
import { readOnce } from '../read-once.js'
import type { Method } from './method.js'
import { hashOf, parseTokenFile } from './token-file.js'

const needs = { clock: services.clock, logger: services.logger, metrics: services.metrics }

/** Static token file: CSV of token, user name, uid and optional groups. Read again when it changes. */
export function staticTokens(path: string): Method<typeof needs> {
  const file = readOnce(
    (given: Resolved<typeof needs>) =>
      new ChangingFiles({
        ...given,
        what: 'static tokens',
        paths: [path],
        parse: ([text = '']) => parseTokenFile(text, path),
      }),
  )
  return {
    authenticator: defineAuthenticator({
      name: 'static-tokens',
      kind: 'bearer',
      needs,
      authenticate({ bearerToken = '' }, given) {
        const tokens = file(given).current()
        const hash = hashOf(bearerToken)
        // Hashes have one length and every entry is compared, so the time tells nothing about the tokens.
        let found: UserInfo | undefined
        for (const token of tokens) if (timingSafeEqual(token.hash, hash)) found = token.user
        // What was found is remembered for a while: not when the file says something else by then.
        return found && { user: found, isStillValid: () => file(given).current() === tokens }
      },
    }),
    check: { name: 'static tokens', needs, run: given => void file(given) },
  }
}

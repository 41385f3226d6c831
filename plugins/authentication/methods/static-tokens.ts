import { createHash, timingSafeEqual } from 'node:crypto'
import { type Resolved, services, type UserInfo } from 'orch/sdk'
import { ChangingFiles } from 'orch/sdk/files'
import { defineAuthenticator } from 'orch/sdk/identity'
import { readOnce } from '../read-once.js'
import type { Method } from './method.js'

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
        // Hashes have the same length and every entry is compared, so the timing reveals nothing about the tokens.
        let found: UserInfo | undefined
        for (const token of tokens) if (timingSafeEqual(token.hash, hash)) found = token.user
        // The result is cached for a while, but only until the file changes.
        return found && { user: found, isStillValid: () => file(given).current() === tokens }
      },
    }),
    check: { name: 'static tokens', needs, run: given => void file(given) },
  }
}

/** A token of the file. Only its hash is stored. */
interface KnownToken {
  readonly hash: Buffer
  readonly user: UserInfo
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Parses a token file. Errors name the line without quoting it, since it contains a token. */
function parseTokenFile(text: string, path: string): KnownToken[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .flatMap(({ line, number }) => {
      const [token, name, uid, groups] = splitCsv(line)
      if (token === undefined || !name || uid === undefined)
        throw new Error(`${path}, line ${number}: expected token, user name, user uid and optional groups`)
      // An empty token cannot be sent, so the line has no effect.
      if (token === '') return []
      const listed = groups?.split(',').map(group => group.trim()) ?? []
      const user = { name, ...(uid === '' ? {} : { uid }), groups: listed.filter(group => group !== '') }
      return [{ hash: hashOf(token), user }]
    })
}

/** Splits a line into columns; one in double quotes may contain commas, and `""` is a quote. */
function splitCsv(line: string): string[] {
  // The comma before the first column makes an empty one match like any other.
  return [...`,${line}`.matchAll(/,\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  )
}

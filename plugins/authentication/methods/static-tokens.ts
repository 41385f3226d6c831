import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineAuthenticator, type UserInfo } from 'orch/sdk'

interface KnownToken {
  readonly hash: Buffer
  readonly user: UserInfo
}

/** Static token file: CSV of token, user name, uid and optional groups. Read once; changing it needs a restart. */
export const staticTokens = (path: string) => {
  const tokens = parseTokenFile(readFileSync(path, 'utf8'), path)
  return defineAuthenticator({
    name: 'static-tokens',
    kind: 'bearer',
    authenticate({ bearerToken }) {
      const hash = hashOf(bearerToken ?? '')
      // Hashes have one length and every entry is compared, so the time tells nothing about the tokens.
      let found: UserInfo | undefined
      for (const token of tokens) if (timingSafeEqual(token.hash, hash)) found = token.user
      return found && { user: found }
    },
  })
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

export function parseTokenFile(text: string, path: string): KnownToken[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .map(({ line, number }) => {
      const [token, name, uid, groups] = splitCsv(line)
      if (!token || !name || uid === undefined) {
        throw new Error(`${path}, line ${number}: expected token, user name, user uid and optional groups`)
      }
      const user = { name, uid, groups: groups ? groups.split(',').map(group => group.trim()) : [] }
      return { hash: hashOf(token), user }
    })
}

/** Columns of a line; a column in double quotes may hold commas, and `""` stands for a quote. */
function splitCsv(line: string): string[] {
  return [...line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  )
}

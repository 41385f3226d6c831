import { createHash } from 'node:crypto'
import type { UserInfo } from 'orch/sdk'

/** A token of the file. Only its hash is kept. */
export interface KnownToken {
  readonly hash: Buffer
  readonly user: UserInfo
}

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Reads a token file. What is wrong is told by line, without quoting it: the line holds a token. */
export function parseTokenFile(text: string, path: string): KnownToken[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .flatMap(({ line, number }) => {
      const [token, name, uid, groups] = splitCsv(line)
      if (token === undefined || !name || uid === undefined)
        throw new Error(`${path}, line ${number}: expected token, user name, user uid and optional groups`)
      // Nobody can send an empty token, so that the line says nothing.
      if (token === '') return []
      const listed = groups?.split(',').map(group => group.trim()) ?? []
      const user = { name, ...(uid === '' ? {} : { uid }), groups: listed.filter(group => group !== '') }
      return [{ hash: hashOf(token), user }]
    })
}

/** Columns of a line; a column in double quotes may hold commas, and `""` stands for a quote. */
function splitCsv(line: string): string[] {
  // With a comma before the first column too, an empty one is found like any other.
  return [...`,${line}`.matchAll(/,\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  )
}

import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isSeq, parseDocument } from 'yaml'

/** Changes keys of a user's auth-provider in a config file; everything else in the file, comments too, stays as it is. */
export async function saveAuthProviderSettings(
  path: string,
  userName: string,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const document = parseDocument(await readFile(path, 'utf8'))
  const users = document.get('users')
  const index = isSeq(users) ? users.items.findIndex((_, i) => document.getIn(['users', i, 'name']) === userName) : -1
  if (index < 0) return
  for (const [key, value] of Object.entries(changed))
    document.setIn(['users', index, 'user', 'auth-provider', 'config', key], value)
  // Written beside and renamed, so that no reader ever sees half a file.
  const beside = `${path}.${randomUUID()}`
  try {
    await writeFile(beside, document.toString(), { mode: (await stat(path)).mode & 0o777 })
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

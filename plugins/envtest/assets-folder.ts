import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { CommandContext } from 'orch/sdk'

/** Incremented when the format of the folder changes. */
const format = 2

/** The folder of an installation: another program, version, Node, client or set of flags has another one. */
export function assetsFolder(
  { program, packageRoot }: CommandContext['host'],
  client: string | undefined,
  flags: readonly string[],
): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
  const built = statSync(program.at(-1) ?? '', { throwIfNoEntry: false })?.mtimeMs
  const identity = JSON.stringify([format, program, process.version, built, client, flags])
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  return join(cacheFolder(), `${version}-${hash}`)
}

/** The cache of this user, or a private temporary folder if it cannot be written. */
function cacheFolder(): string {
  const usual = join(homedir(), '.cache', 'orch', 'envtest')
  try {
    mkdirSync(usual, { recursive: true, mode: 0o700 })
    return usual
  } catch {
    const { uid } = userInfo()
    const other = join(tmpdir(), `orch-envtest-assets-${uid}`)
    mkdirSync(other, { recursive: true, mode: 0o700 })
    const found = statSync(other)
    // Another user could have put programs there.
    if (found.uid !== uid || (found.mode & 0o077) !== 0) throw new Error(`${other} must belong to this user alone`)
    return other
  }
}

/**
 * Creates a folder with `write` atomically. Of several concurrent calls one wins, and the others use
 * its folder.
 */
export async function makeOnce(folder: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 })
    await write(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    const isLost = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!isLost || !existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'orch-envtest-data-'
const ownerFile = 'owner.json'

/** The owner of a folder. A process id is only valid in its PID namespace. */
interface Owner {
  readonly pid: number
  readonly place: string
}

/** Containers may share the temporary folder, but have their own process ids. */
function thisPlace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Creates a temporary data folder. Folders of killed processes are removed first. */
export function temporaryData(): { readonly path: string; remove(): void } {
  const place = thisPlace()
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) removeIfLeft(join(tmpdir(), name), place)
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const owner: Owner = { pid: process.pid, place }
  writeFileSync(join(folder, ownerFile), JSON.stringify(owner), { mode: 0o600 })
  const path = join(folder, 'data')
  mkdirSync(path, { mode: 0o700 })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function removeIfLeft(folder: string, place: string): void {
  try {
    const owner = JSON.parse(readFileSync(join(folder, ownerFile), 'utf8')) as Owner
    if (owner.place !== place || isAlive(owner.pid)) return
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Owned by another user, or just being created: leave it alone.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

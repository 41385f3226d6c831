import { accessSync, constants, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, fine, warning, wrong } from '../finding.js'

/** Access for users other than the owner. */
const othersMode = 0o077
/** Keys, tokens and the store. */
const secretPlaces = ['pki', 'store', 'lock', 'admin.conf']

/**
 * Checks that this process may use the folder, and others may not. `userId` is the user of this process; undefined on
 * systems without user ids.
 */
export function checkDataFolder(folder: string, userId: number | undefined): Finding[] {
  if (!existsSync(folder)) return [fine(`there is no folder ${folder} yet; the first start creates it`)]
  if (!statSync(folder).isDirectory())
    return [wrong(`${folder} is not a folder`, 'Name another one with --data-dir, or move that file away')]
  const places = [folder, ...secretPlaces.map(name => join(folder, name)).filter(path => existsSync(path))]
  const inside = places.slice(1).flatMap(path => (statSync(path).isDirectory() ? filesOf(path) : []))
  const findings = [...places, ...inside].flatMap(path => checkPlace(path, statSync(path), userId))
  return findings.length === 0 ? [fine(`${folder} is readable and writable by its owner alone`)] : findings
}

const filesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(folder, entry.name))
  } catch {
    // Unreadable folders are reported by the check of the folder itself.
    return []
  }
}

function checkPlace(path: string, stats: Stats, userId: number | undefined): Finding[] {
  const findings: Finding[] = []
  // Certificates are public.
  const isPublic = /\.(crt|pub)$/.test(path)
  if (userId !== undefined && (stats.mode & othersMode) !== 0 && !isPublic) {
    const mode = (stats.mode & 0o777).toString(8)
    const wanted = stats.isDirectory() ? '700' : '600'
    findings.push(warning(`${path} has mode ${mode}: others may read secrets in it`, `chmod ${wanted} ${path}`))
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    const isOwner = userId === undefined || userId === stats.uid
    const owner = isOwner ? '' : `; it belongs to user ${stats.uid}, and this is user ${userId}`
    const remedy = isOwner
      ? `chmod u+rw${stats.isDirectory() ? 'x' : ''} ${path}, or mount its disk for writing`
      : 'Run as its owner, or change the owner: chown -R USER FOLDER'
    findings.push(wrong(`${path} cannot be read and written${owner}`, remedy))
  }
  return findings
}

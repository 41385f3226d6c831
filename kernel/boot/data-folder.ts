import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'orch/sdk/host'
import { BootError, type BootProblem, errorMessage, problem } from '../contracts/boot-errors.js'
import { readIfThere, writePrivateFile } from '../pki/private-files.js'
import { packageRoot } from './load-module.js'

/** The marker file with the vendor and the format of the folder. Folders older than this format have none. */
interface Marker {
  readonly vendor: string
  readonly format: number
  readonly createdBy: string
  readonly created: string
}
/** 2 since folders have a marker and objects a stored version. Raised whenever an older program could do harm. */
const folderFormat = 2
const markerPath = (dataDir: string): string => join(dataDir, 'data-folder.json')

/** A data folder that this process may use. */
export interface DataFolder {
  /** Whether a server has been started in it before. */
  readonly isKnown: boolean
  /** Records that a server of this vendor was started in it. */
  remember(now: number): void
  release(): Promise<void>
}

/** How a process uses a data folder. */
export interface FolderTaker {
  /** Whether the process is a worker. */
  readonly isWorker: boolean
  /** Whether the store is in the folder. If not, other servers may use the folder at the same time. */
  readonly holdsStore: boolean
}

/** Locks a data folder for a server or one of its workers, until it is released or the process ends. */
export async function openDataFolder(
  dataDir: string,
  vendor: string,
  { isWorker, holdsStore }: FolderTaker,
): Promise<DataFolder> {
  const release = holdsStore ? await lock(dataDir, isWorker) : async () => {}
  try {
    const marker = readMarker(dataDir)
    const wrong = marker && problemWith(dataDir, vendor, marker)
    if (wrong) throw new BootError([wrong])
    const isKnown = marker !== undefined && 'created' in marker
    const remember = (now: number): void => {
      if (!isKnown && !isWorker) writePrivateFile(markerPath(dataDir), markerOf(vendor, now))
    }
    return { isKnown, remember, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** Why a server of this vendor cannot use a folder, apart from locks. */
export function folderProblems(dataDir: string, vendor: string): readonly BootProblem[] {
  try {
    const marker = readMarker(dataDir)
    const wrong = marker && problemWith(dataDir, vendor, marker)
    return wrong ? [wrong] : []
  } catch (error) {
    if (error instanceof BootError) return error.problems
    throw error
  }
}

/** Loaded lazily: locks use LMDB, which a server with another store does not need. */
async function lock(dataDir: string, isWorker: boolean): Promise<() => Promise<void>> {
  const { lockFolder } = await import('../storage/folder-lock.js')
  return lockFolder(dataDir, { role: isWorker ? 'worker' : 'server', what: 'orch serve' }).catch(refuse)
}

function refuse(error: unknown): never {
  const isRefusal = error instanceof StorageError && error.kind === 'unavailable' && error.cause === undefined
  // A full disk, or files that cannot be opened, are reported as such.
  if (!isRefusal) throw error
  throw new BootError([problem('ORCH_DATA_FOLDER_IN_USE', { why: error.message })])
}

function readMarker(dataDir: string): Marker | Pick<Marker, 'vendor' | 'format'> | undefined {
  const text = readIfThere(markerPath(dataDir))
  if (text === undefined) return olderFolder(dataDir)
  try {
    const marker = JSON.parse(text) as Marker
    if (typeof marker.vendor === 'string' && Number.isInteger(marker.format)) return marker
    throw new Error('it has no vendor and no format')
  } catch (error) {
    throw new BootError([problem('ORCH_DATA_FOLDER_MARKER', { path: markerPath(dataDir), why: errorMessage(error) })])
  }
}

/** The vendor of a folder without a marker is derived from the name of its administrator. */
function olderFolder(dataDir: string): Pick<Marker, 'vendor' | 'format'> | undefined {
  try {
    const { subject } = new X509Certificate(readFileSync(join(dataDir, 'pki', 'admin.crt')))
    const vendor = /^CN=(.+)-admin$/m.exec(subject)?.[1]
    return vendor === undefined ? undefined : { vendor, format: 1 }
  } catch {
    // A missing or invalid certificate is reported by the check of certificates.
    return undefined
  }
}

function problemWith(
  dataDir: string,
  vendor: string,
  marker: Pick<Marker, 'vendor' | 'format'>,
): BootProblem | undefined {
  if (marker.vendor !== vendor) {
    return problem('ORCH_DATA_FOLDER_VENDOR', { dataDir, vendor, owner: marker.vendor })
  }
  if (marker.format > folderFormat) {
    return problem('ORCH_DATA_FOLDER_FORMAT', { dataDir, format: marker.format, known: folderFormat })
  }
  return undefined
}

function markerOf(vendor: string, now: number): string {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  const created = new Date(now).toISOString()
  const marker: Marker = { vendor, format: folderFormat, createdBy: `${name} ${version}`, created }
  return `${JSON.stringify(marker, null, 2)}\n`
}

import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'

/** A plugin that cannot be read as it is asked for. */
export class PackageProblem extends Error {}

/** A plugin in the plugin folder: a file, or a folder with a package.json. */
export interface PackageContents {
  readonly path: string
  readonly isFolder: boolean
  readonly version: string
  /** By algorithm: `sha256-…` and `sha512-…`, base64. */
  readonly hashes: Readonly<Record<Algorithm, string>>
}
type Algorithm = 'sha256' | 'sha512'

const entryNames = ['plugin.ts', 'plugin.js', 'plugin.mjs', 'index.ts', 'index.js', 'index.mjs']
/** A plugin is sources, not data. */
const maxBytes = 64 * 1024 * 1024
const maxFiles = 10_000

/** Finds and hashes a package. Its path may not leave the folder, by links neither. */
export function readPackage(folder: string, name: string): PackageContents {
  const path = resolve(folder, name)
  if (!existsSync(path)) throw new PackageProblem(`spec.package: there is no "${name}" in the plugin folder`)
  const real = realpathSync(path)
  if (!isBelow(realpathSync(folder), real))
    throw new PackageProblem(`spec.package: "${name}" leads out of the plugin folder`)
  const isFolder = statSync(real).isDirectory()
  return {
    path: real,
    isFolder,
    version: isFolder ? versionIn(real) : '',
    hashes: hashesOf(real, isFolder),
  }
}

function hashesOf(path: string, isFolder: boolean): Readonly<Record<Algorithm, string>> {
  const hashes = { sha256: createHash('sha256'), sha512: createHash('sha512') }
  let bytes = 0
  for (const file of isFolder ? filesBelow(path) : [path]) {
    const contents = readFileSync(file)
    bytes += contents.length
    if (bytes > maxBytes) throw new PackageProblem(`spec.package: it has more than ${maxBytes} bytes`)
    for (const hash of Object.values(hashes)) {
      // A file alone has the hash of its bytes, as every tool computes it.
      if (isFolder) hash.update(`${relative(path, file).split(sep).join('/')}\n${contents.length}\n`)
      hash.update(contents)
    }
  }
  return {
    sha256: `sha256-${hashes.sha256.digest('base64')}`,
    sha512: `sha512-${hashes.sha512.digest('base64')}`,
  }
}

/** Throws unless the contents are those that were asked for. */
export function checkIntegrity({ hashes }: PackageContents, integrity: string | undefined): void {
  if (integrity === undefined || integrity === '') return
  const found = integrity.startsWith('sha512-') ? hashes.sha512 : hashes.sha256
  if (found !== integrity)
    throw new PackageProblem(`spec.integrity: the package is not what was asked for: it is ${found}, not ${integrity}`)
}

/**
 * A copy of the package at a path that no other version has, with the file to load. Modules are known by their paths: what was
 * loaded once from a path is never read again.
 */
export function stagePackage({ path, isFolder, hashes }: PackageContents, stage: string): string {
  const version = hashes.sha256.slice('sha256-'.length).replaceAll('/', '_').replaceAll('=', '')
  const target = join(stage, version)
  if (!existsSync(target)) {
    // Other processes of this server may be doing the same.
    const partial = `${target}.partial-${process.pid}`
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true, mode: 0o700 })
    const copy = isFolder ? partial : join(partial, basename(path))
    cpSync(path, copy, { recursive: true, dereference: true })
    // It may have changed since its hash was compared: what is loaded is what was asked for.
    if (hashesOf(copy, isFolder).sha256 !== hashes.sha256)
      throw new PackageProblem('spec.package: the package changed while it was being loaded')
    try {
      renameSync(partial, target)
    } catch (error) {
      rmSync(partial, { recursive: true, force: true })
      if (!existsSync(target)) throw error
    }
  }
  return isFolder ? entryOf(target) : join(target, basename(path))
}

function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  if (files.length > maxFiles) throw new PackageProblem(`spec.package: it has more than ${maxFiles} files`)
  const linked = files.find(file => !file.isFile() && !file.isDirectory())
  if (linked) throw new PackageProblem(`spec.package: ${linked.name} is neither a file nor a folder`)
  return files
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .sort()
}

interface PackageJson {
  readonly main?: unknown
  readonly version?: unknown
}
function packageJson(folder: string): PackageJson {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new PackageProblem(`spec.package: its package.json is not valid JSON: ${cause}`)
  }
}
const versionIn = (folder: string): string => {
  const { version } = packageJson(folder)
  return typeof version === 'string' ? version : ''
}
function entryOf(folder: string): string {
  const { main } = packageJson(folder)
  const names = typeof main === 'string' ? [main] : entryNames
  const found = names.map(name => resolve(folder, name)).find(file => isBelow(folder, file) && existsSync(file))
  if (found === undefined)
    throw new PackageProblem(`spec.package: it has no ${names.join(', ')}; package.json may name its file as "main"`)
  return found
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder + sep)

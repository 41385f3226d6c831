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
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { filesInArchive } from './npm-archive.js'
import { PackageProblem } from './package-problem.js'

/** A plugin in the plugin folder: a file, a folder with a package.json, or an archive of such a folder. */
export interface PackageContents {
  readonly path: string
  readonly isFolder: boolean
  /** For an archive. */
  readonly files?: ReadonlyMap<string, Buffer>
  readonly version: string
  /** By algorithm: `sha256-…` and `sha512-…`, base64. */
  readonly hashes: Readonly<Record<Algorithm, string>>
}
type Algorithm = 'sha256' | 'sha512'

const entryNames = ['plugin.ts', 'plugin.js', 'plugin.mjs', 'index.ts', 'index.js', 'index.mjs']
/** Limits: a plugin is source code, not data. */
const maxBytes = 64 * 1024 * 1024
const maxFiles = 10_000

/** Finds and hashes a package. Neither its path nor a link may leave the folder. Nothing is downloaded. */
export function readPackage(folder: string, name: string): PackageContents {
  const path = pathOf(folder, name)
  const real = realpathSync(path)
  if (!isBelow(realpathSync(folder), real))
    throw new PackageProblem(`spec.package: "${name}" is outside the plugin folder`)
  const stats = statSync(real)
  const isFolder = stats.isDirectory()
  if (!isFolder && stats.size > maxBytes) throw new PackageProblem(`spec.package: it has more than ${maxBytes} bytes`)
  if (!isFolder && archiveName.test(real)) return archiveAt(real)
  return {
    path: real,
    isFolder,
    version: isFolder ? versionIn(packageJson(real)) : '',
    hashes: hashesOf(real, isFolder),
  }
}

const archiveName = /\.(?:tgz|tar\.gz)$/
/** A name and version in npm's notation: `widgets@1.2.3`, `@toys/widgets@1.2.3`. */
const npmName = /^((?:@[a-z0-9._~-]+\/)?[a-z0-9._~-]+)@([0-9A-Za-z.+-]+)$/

/** The location of a package: a path, or a name and version that npm packed or installed there. */
function pathOf(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (existsSync(path)) return path
  const [, npm = '', version] = npmName.exec(name) ?? []
  if (version === undefined) throw new PackageProblem(`spec.package: there is no "${name}" in the plugin folder`)
  const packed = `${npm.replace('@', '').replace('/', '-')}-${version}.tgz`
  if (existsSync(join(folder, packed))) return join(folder, packed)
  const installed = join(folder, 'node_modules', npm)
  const found = existsSync(installed) ? versionIn(packageJson(installed)) : undefined
  if (found === version) return installed
  const other = found === undefined ? '' : `, where node_modules has version ${found}`
  throw new PackageProblem(
    `spec.package: there is neither ${packed} nor node_modules/${npm} of version ${version} in the plugin folder${other}`,
  )
}

function archiveAt(path: string): PackageContents {
  const bytes = readFileSync(path)
  const files = filesInArchive(bytes, { maxBytes, maxFiles })
  const json = files.get('package.json')
  const version = json ? versionIn(parsedPackageJson(json.toString('utf8'))) : ''
  return { path, isFolder: true, files, version, hashes: hashesOfFiles([{ contents: bytes }]) }
}

function hashesOf(path: string, isFolder: boolean): Readonly<Record<Algorithm, string>> {
  function* files() {
    let bytes = 0
    for (const file of isFolder ? filesBelow(path) : [path]) {
      const contents = readFileSync(file)
      bytes += contents.length
      if (bytes > maxBytes) throw new PackageProblem(`spec.package: it has more than ${maxBytes} bytes`)
      yield isFolder ? { name: relative(path, file).split(sep).join('/'), contents } : { contents }
    }
  }
  return hashesOfFiles(files())
}

/**
 * The hash of a single file is that of its bytes, as any tool computes it; for several files it covers their names,
 * too.
 */
function hashesOfFiles(
  files: Iterable<{ readonly name?: string; readonly contents: Buffer }>,
): Readonly<Record<Algorithm, string>> {
  const hashes = { sha256: createHash('sha256'), sha512: createHash('sha512') }
  for (const { name, contents } of files) {
    for (const hash of Object.values(hashes)) {
      if (name !== undefined) hash.update(`${name}\n${contents.length}\n`)
      hash.update(contents)
    }
  }
  return {
    sha256: `sha256-${hashes.sha256.digest('base64')}`,
    sha512: `sha512-${hashes.sha512.digest('base64')}`,
  }
}

/** Throws unless the contents match the expected hash. */
export function checkIntegrity({ hashes }: PackageContents, integrity: string | undefined): void {
  if (integrity === undefined || integrity === '') return
  const found = integrity.startsWith('sha512-') ? hashes.sha512 : hashes.sha256
  if (found !== integrity)
    throw new PackageProblem(`spec.integrity: the package has another hash: ${found}, not ${integrity}`)
}

/**
 * A copy of the package at a path unique to its hash, with the file to load. Node caches modules by path: a path that
 * was loaded once is never read again.
 */
export function stagePackage(contents: PackageContents, stage: string): string {
  const { path, isFolder, hashes } = contents
  const version = hashes.sha256.slice('sha256-'.length).replaceAll('/', '_').replaceAll('=', '')
  const target = join(stage, version)
  if (!existsSync(target)) {
    // Other processes of this server may be doing the same.
    const partial = `${target}.partial-${process.pid}`
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true, mode: 0o700 })
    copyInto(partial, contents)
    try {
      renameSync(partial, target)
    } catch (error) {
      rmSync(partial, { recursive: true, force: true })
      if (!existsSync(target)) throw error
    }
  }
  return isFolder ? entryOf(target) : join(target, basename(path))
}

function copyInto(folder: string, { path, isFolder, files, hashes }: PackageContents): void {
  if (files) {
    for (const [name, contents] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, name), contents)
    }
    return
  }
  const copy = isFolder ? folder : join(folder, basename(path))
  cpSync(path, copy, { recursive: true, dereference: true })
  // The files may have changed since they were hashed; the copy must match, too.
  if (hashesOf(copy, isFolder).sha256 !== hashes.sha256)
    throw new PackageProblem('spec.package: the package changed while it was being loaded')
}

function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  if (files.length > maxFiles) throw new PackageProblem(`spec.package: it has more than ${maxFiles} files`)
  const linked = files.find(file => !file.isFile() && !file.isDirectory())
  if (linked) {
    const name = relative(folder, join(linked.parentPath, linked.name))
    throw new PackageProblem(`spec.package: ${name} is neither a file nor a folder; a package must not contain links`)
  }
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
  return existsSync(file) ? parsedPackageJson(readFileSync(file, 'utf8')) : {}
}
function parsedPackageJson(text: string): PackageJson {
  try {
    return JSON.parse(text) ?? {}
  } catch (cause) {
    throw new PackageProblem(`spec.package: its package.json is not valid JSON: ${cause}`)
  }
}
const versionIn = ({ version }: PackageJson): string => (typeof version === 'string' ? version : '')
function entryOf(folder: string): string {
  const { main } = packageJson(folder)
  const names = typeof main === 'string' ? [main] : entryNames
  const found = names.map(name => resolve(folder, name)).find(file => isBelow(folder, file) && existsSync(file))
  if (found === undefined)
    throw new PackageProblem(`spec.package: it has no ${names.join(', ')}; package.json may name its file as "main"`)
  return found
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder + sep)

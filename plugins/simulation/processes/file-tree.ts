import { posix } from 'node:path'

/** Files of one container. */
const maxEntries = 2_000
const maxPathLength = 4_096
export const maxTreeBytes = 16 * 1024 * 1024
/** Of all containers together. */
const maxTrees = 2_000
const maxTotalBytes = 128 * 1024 * 1024

/** File errors as Unix reports them. */
export class FileError extends Error {}

type Entry = { readonly isFolder: true } | { readonly isFolder: false; readonly content: Buffer }

/** The files of one simulated container: in memory, and bounded. */
export class FileTree {
  readonly #entries = new Map<string, Entry>()
  readonly #reserve: (bytes: number) => boolean
  bytes = 0

  /** `reserve` reserves bytes of the budget of all containers, or releases them if negative. */
  constructor(files: Readonly<Record<string, string>>, reserve: (bytes: number) => boolean = () => true) {
    this.#reserve = reserve
    this.#entries.set('/', { isFolder: true })
    this.makeFolder('/tmp')
    for (const [path, text] of Object.entries(files)) {
      this.makeFolder(posix.dirname(path))
      this.write(path, Buffer.from(text))
    }
  }

  static resolve(path: string, folder = '/'): string {
    if (path.length > maxPathLength) throw new FileError(`${path.slice(0, 80)}…: File name too long`)
    return posix.resolve(folder, path)
  }
  get(path: string): Entry | undefined {
    return this.#entries.get(FileTree.resolve(path))
  }
  isFolder(path: string): boolean {
    return this.get(path)?.isFolder === true
  }
  read(path: string): Buffer {
    const entry = this.get(path)
    if (!entry) throw new FileError(`${path}: No such file or directory`)
    if (entry.isFolder) throw new FileError(`${path}: Is a directory`)
    return entry.content
  }
  write(path: string, content: Buffer): void {
    const full = FileTree.resolve(path)
    const before = this.#entries.get(full)
    if (before?.isFolder) throw new FileError(`${path}: Is a directory`)
    if (!this.isFolder(posix.dirname(full))) throw new FileError(`${path}: No such file or directory`)
    if (!before) this.#refuseIfFull(full)
    const growth = content.length - (before?.content.length ?? 0)
    if (this.bytes + growth > maxTreeBytes || !this.#reserve(growth))
      throw new FileError(`${path}: No space left on device`)
    this.#entries.set(full, { isFolder: false, content })
    this.bytes += growth
  }
  /** Creates missing parent folders, too. */
  makeFolder(path: string): void {
    const full = FileTree.resolve(path)
    if (this.isFolder(full)) return
    for (let end = full.indexOf('/', 1); ; end = full.indexOf('/', end + 1)) {
      const folder = end < 0 ? full : full.slice(0, end)
      const entry = this.#entries.get(folder)
      if (entry && !entry.isFolder) throw new FileError(`${folder}: Not a directory`)
      if (!entry) {
        this.#refuseIfFull(folder)
        this.#entries.set(folder, { isFolder: true })
      }
      if (end < 0) return
    }
  }
  #refuseIfFull(full: string): void {
    if (this.#entries.size >= maxEntries) throw new FileError(`${full}: No space left on device`)
  }
  /** The paths below a folder, each after the folder that it is in. */
  below(path: string): string[] {
    const full = FileTree.resolve(path)
    const prefix = full === '/' ? '/' : `${full}/`
    return [...this.#entries.keys()].filter(one => one.startsWith(prefix) && one !== '/').sort()
  }
  names(path: string): string[] {
    const full = FileTree.resolve(path)
    return this.below(full)
      .filter(one => posix.dirname(one) === full)
      .map(one => posix.basename(one))
  }
  remove(path: string): void {
    const full = FileTree.resolve(path)
    for (const one of [full, ...this.below(full)]) {
      const entry = this.#entries.get(one)
      if (entry && !entry.isFolder) {
        this.bytes -= entry.content.length
        this.#reserve(-entry.content.length)
      }
      if (one !== '/') this.#entries.delete(one)
    }
  }
}

/**
 * The trees of all containers in which processes ran. When they take too much memory, the least recently used are
 * evicted; trees in use are kept, and further writes fail with "No space left on device".
 */
export class FileTrees {
  readonly #trees = new Map<string, FileTree>()
  readonly #users = new Map<FileTree, number>()
  readonly #evicted = new WeakSet<FileTree>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = maxTotalBytes) {
    this.#maxBytes = maxBytes
  }

  /** The tree of a container, in use until the signal is aborted. */
  use(containerId: string, files: () => Readonly<Record<string, string>>, signal: AbortSignal): FileTree {
    const tree = this.#trees.get(containerId) ?? this.#create(files())
    this.#trees.delete(containerId)
    this.#trees.set(containerId, tree)
    if (!signal.aborted) {
      this.#users.set(tree, (this.#users.get(tree) ?? 0) + 1)
      signal.addEventListener('abort', () => this.#release(tree), { once: true })
    }
    this.#evictUnused(() => this.#trees.size <= maxTrees)
    return tree
  }
  #create(files: Readonly<Record<string, string>>): FileTree {
    // A killed process may still write: an evicted tree is no longer counted.
    let tree: FileTree | undefined
    const isEvicted = () => tree !== undefined && this.#evicted.has(tree)
    tree = new FileTree(files, bytes => isEvicted() || this.#reserve(bytes))
    return tree
  }
  #release(tree: FileTree): void {
    const others = (this.#users.get(tree) ?? 1) - 1
    if (others === 0) this.#users.delete(tree)
    else this.#users.set(tree, others)
  }

  #reserve(bytes: number): boolean {
    this.#evictUnused(() => this.#bytes + bytes <= this.#maxBytes)
    if (bytes > 0 && this.#bytes + bytes > this.#maxBytes) return false
    this.#bytes += bytes
    return true
  }
  #evictUnused(isEnough: () => boolean): void {
    for (const [id, tree] of this.#trees) {
      if (isEnough()) return
      if (this.#users.has(tree)) continue
      this.#trees.delete(id)
      this.#evicted.add(tree)
      this.#bytes -= tree.bytes
    }
  }
}

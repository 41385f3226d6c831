import { posix } from 'node:path'

/** Files of one container, and all of them together. */
const maxEntries = 2_000
export const maxTreeBytes = 16 * 1024 * 1024
const maxTotalBytes = 128 * 1024 * 1024

/** What a program is told about a file, in the words of Unix. */
export class FileError extends Error {}

type Entry = { readonly isFolder: true } | { readonly isFolder: false; readonly content: Buffer }

/** The files of one simulated container: in memory, and bounded. */
export class FileTree {
  readonly #entries = new Map<string, Entry>()
  bytes = 0

  constructor(files: Readonly<Record<string, string>>) {
    this.#entries.set('/', { isFolder: true })
    this.makeFolder('/tmp')
    for (const [path, text] of Object.entries(files)) {
      this.makeFolder(posix.dirname(path))
      this.write(path, Buffer.from(text))
    }
  }

  static resolve(path: string, folder = '/'): string {
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
    const bytes = this.bytes - (before?.content.length ?? 0) + content.length
    if (bytes > maxTreeBytes) throw new FileError(`${path}: No space left on device`)
    this.#add(full, { isFolder: false, content })
    this.bytes = bytes
  }
  /** With all folders above it. */
  makeFolder(path: string): void {
    const full = FileTree.resolve(path)
    const entry = this.#entries.get(full)
    if (entry?.isFolder) return
    if (entry) throw new FileError(`${path}: Not a directory`)
    this.makeFolder(posix.dirname(full))
    this.#add(full, { isFolder: true })
  }
  #add(full: string, entry: Entry): void {
    if (!this.#entries.has(full) && this.#entries.size >= maxEntries)
      throw new FileError(`${full}: No space left on device`)
    this.#entries.set(full, entry)
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
      if (entry && !entry.isFolder) this.bytes -= entry.content.length
      if (one !== '/') this.#entries.delete(one)
    }
  }
}

/** The trees of all containers that somebody used. Those that were not used for longest are forgotten when they take too much. */
export class FileTrees {
  readonly #trees = new Map<string, FileTree>()

  of(containerId: string, files: () => Readonly<Record<string, string>>): FileTree {
    const tree = this.#trees.get(containerId) ?? new FileTree(files())
    this.#trees.delete(containerId)
    this.#trees.set(containerId, tree)
    let bytes = 0
    for (const one of this.#trees.values()) bytes += one.bytes
    for (const [id, one] of this.#trees) {
      if (bytes <= maxTotalBytes - maxTreeBytes && this.#trees.size <= maxEntries) break
      if (one === tree) continue
      this.#trees.delete(id)
      bytes -= one.bytes
    }
    return tree
  }
}

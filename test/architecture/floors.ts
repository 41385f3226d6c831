import { importsOf } from './imports-of.js'
import type { Source } from './sources.js'

/**
 * The floors of the kernel, ground floor first, each with its rooms. An import leads to a lower floor or stays in its room;
 * rooms on one floor do not import each other. Types count. The picture in docs/ is drawn from this table.
 */
export const floors: readonly (readonly string[])[] = [
  ['contracts'],
  ['schema', 'storage', 'registry', 'options'],
  ['types', 'container', 'pki', 'apply'],
  ['representation', 'observe'],
  ['watch', 'openapi', 'discovery'],
  ['admission'],
  ['resources'],
  ['request', 'http', 'wasm'],
  ['isolation'],
  ['boot'],
  ['loops'],
  ['server', 'plugin-process'],
  ['workers'],
  ['commands'],
]
/** Files at the top of the kernel: the public door and the binary. */
const roof = '(top)'

const roomOf = (path: string): string => {
  const [, room = '', file] = path.split('/')
  return file === undefined ? roof : room
}
const floorOf = (room: string): number =>
  room === roof ? floors.length : floors.findIndex(rooms => rooms.includes(room))

const kernelImports = (source: Source) => importsOf(source).filter(name => name.startsWith('kernel/'))

/** Imports of a higher floor or of another room of the same floor, and rooms that are missing in the table. */
export function climbingImports(sources: readonly Source[]): string[] {
  return sources.flatMap(source => {
    const room = roomOf(source.path)
    if (floorOf(room) < 0) return [`${source.path}: the floor table has no room "${room}"`]
    return kernelImports(source)
      .filter(name => roomOf(name) !== room && floorOf(roomOf(name)) >= floorOf(room))
      .map(name => `${source.path} imports ${name}`)
  })
}

/** Every import cycle, as a list of files. An import of `./a.js` may refer to `a.ts` or to `a.tsx`. */
export function fileCycles(sources: readonly Source[]): string[][] {
  const paths = new Set(sources.map(({ path }) => path))
  const fileOf = (name: string) => (paths.has(name) ? name : name.replace(/\.ts$/, '.tsx'))
  const edges = new Map(sources.map(source => [source.path, importsOf(source).map(fileOf)]))
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) cycles.push([...way.slice(at)])
    if (at >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) if (edges.has(next)) visit(next, [...way, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return cycles
}

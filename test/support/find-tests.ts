import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Every compiled test file below `dist`, as paths relative to it, sorted. A file without a source is omitted:
 * the compiler does not delete stale output.
 */
export function findTests(root: string): string[] {
  const dist = join(root, 'dist')
  return filesBelow(dist)
    .map(file => relative(dist, file))
    .filter(file => file.endsWith('.test.js') && existsSync(join(root, file.replace(/\.js$/, '.ts'))))
    .sort()
}

/** Every file below a folder, links not followed. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

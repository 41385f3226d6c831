import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from '../support/find-tests.js'

/** The top of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** One of our TypeScript files. */
export interface Source {
  /** Relative to the top, with `/`. */
  readonly path: string
  readonly text: string
  readonly isTest: boolean
}

/** AssemblyScript looks like TypeScript, but is not. */
const assemblyScript = join('examples', 'recipes-wasm', 'assembly')

const folders = ['libs', 'kernel', 'sdk', 'plugins', 'orchctl', 'examples', 'test', 'tools']

/** All our TypeScript files in the given folders; in all folders by default. */
export function sources(...within: string[]): Source[] {
  return (within.length > 0 ? within : folders)
    .map(folder => join(root, folder))
    .filter(folder => existsSync(folder))
    .flatMap(filesBelow)
    .filter(file => /\.tsx?$/.test(file) && !file.includes('node_modules') && !file.includes(assemblyScript))
    .map(file => ({
      path: relative(root, file),
      text: readFileSync(file, 'utf8'),
      isTest: file.endsWith('.test.ts'),
    }))
}

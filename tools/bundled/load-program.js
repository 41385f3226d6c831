import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const folder = dirname(fileURLToPath(import.meta.url))
const file = join(folder, 'program.cjs')
export const codeCacheFile = join(folder, 'program.cache')

/**
 * Evaluates the bundle with the compiled code that `npm run build` kept beside it: compiling takes a third of a start.
 * Another version of Node does not take that code and compiles the bundle as ever.
 */
export function loadProgram() {
  const require = createRequire(file)
  const script = new Script(Module.wrap(readFileSync(file, 'latin1')), { filename: file, cachedData: readCodeCache() })
  // As if it had been required, so that whoever requires it later, such as a plugin that wants the sdk, gets this very one.
  const program = new Module(file)
  program.filename = file
  require.cache[file] = program
  script.runInThisContext()(program.exports, require, program, file, folder)
  program.loaded = true
  return { exports: program.exports, script }
}

function readCodeCache() {
  try {
    return readFileSync(codeCacheFile)
  } catch {
    return undefined
  }
}

'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const cacheOf = file => file.replace(/\.cjs$/, '.cache')
const scripts = new Map()

/**
 * What a file of this folder exports; the build has wrapped it into a function already. It is evaluated with the compiled code that `npm run build` kept beside it: compiling
 * takes a third of a start. Another version of Node does not take that code and compiles the file as ever.
 */
function load(name) {
  const file = join(__dirname, name)
  const known = require.cache[file]
  if (known) return known.exports
  const source = readFileSync(file, 'latin1')
  // Compiled code remembers the name it was compiled under: a path would be that of the machine where it was built.
  const script = new Script(source, { filename: `orch/${name}`, cachedData: readCodeCache(file) })
  // As if it had been required, so that whoever asks for it later gets this very one.
  const module = new Module(file)
  module.filename = file
  require.cache[file] = module
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, dirname(file))
  module.loaded = true
  scripts.set(file, script)
  return module.exports
}

function readCodeCache(file) {
  try {
    return readFileSync(cacheOf(file))
  } catch {
    return undefined
  }
}

/** Keeps the compiled code of what has run so far. */
function writeCodeCache() {
  for (const [file, script] of scripts) writeFileSync(cacheOf(file), script.createCachedData())
}

/** Did this Node refuse the code that is kept for a file? */
const isCacheRejected = name => scripts.get(join(__dirname, name)).cachedDataRejected

module.exports = { load, writeCodeCache, isCacheRejected }

'use strict'
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** Code is compiled for one version of Node on one kind of machine. */
const here = `${process.version}-${process.platform}-${process.arch}`
/** What `npm run build` has noted: which build this is, and for whom its code was compiled. */
const { build, compiledFor } = JSON.parse(readFileSync(join(__dirname, 'build.json'), 'utf8'))
/** The code beside the files is for whoever made the package. All others have a place of their own, see `keepCode`. */
const isShippedForUs = compiledFor === here
const ownFolder = () => join(homedir(), '.cache', 'orch', 'code', `${build}-${here}`)
const cacheOf = file =>
  isShippedForUs
    ? file.replace(/\.cjs$/, '.cache')
    : join(ownFolder(), `${file.slice(__dirname.length + 1).replaceAll(/\W/g, '-')}.cache`)

const keptMs = 60 * 24 * 3_600_000
const scripts = new Map()

/**
 * What a file of this folder exports; the build has wrapped it into a function already. It is evaluated with compiled code that
 * was kept: compiling takes a third of a start. Code that this Node does not take costs that time and nothing else.
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

/** Copies of files are made in any order, so that somewhat newer means nothing. */
const sameTimeMs = 60_000

function readCodeCache(file) {
  try {
    const cache = cacheOf(file)
    // Node takes compiled code for that of any source of the same length, be it one that somebody has patched since.
    if (statSync(file).mtimeMs > statSync(cache).mtimeMs + sameTimeMs) return undefined
    return readFileSync(cache)
  } catch {
    return undefined
  }
}

/** Keeps the compiled code of what has run so far beside the files: for the build. */
function writeCodeCache() {
  for (const [file, script] of scripts) writeFileSync(file.replace(/\.cjs$/, '.cache'), script.createCachedData())
  writeFileSync(join(__dirname, 'build.json'), JSON.stringify({ build, compiledFor: here }))
}

/** Where no code was kept for this Node, keeps that of what has run so far for the next start. Only its owner may write there. */
function keepCode() {
  const missing = [...scripts].filter(([, { cachedDataRejected }]) => cachedDataRejected !== false)
  // Code that is refused although it is for us was compiled with other options, and would be refused again without them.
  if (isShippedForUs || missing.length === 0) return
  try {
    mkdirSync(ownFolder(), { recursive: true, mode: 0o700 })
    removeOld(dirname(ownFolder()))
    for (const [file, script] of missing) {
      const unfinished = `${cacheOf(file)}.${process.pid}`
      writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 })
      renameSync(unfinished, cacheOf(file))
    }
  } catch {
    // It is only about time.
  }
}

/** Code of versions that nobody uses any more. Whoever does use one keeps it again. */
function removeOld(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true })
  }
}

/** Did this Node refuse the code that is kept for a file? */
const isCacheRejected = name => scripts.get(join(__dirname, name)).cachedDataRejected

module.exports = { load, writeCodeCache, keepCode, isCacheRejected }

'use strict'
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** Code is compiled for one version of Node on one kind of machine. */
const here = `${process.version}-${process.platform}-${process.arch}`
/** Written by `npm run build`: the id of the build, and the Node version and platform that its code was compiled for. */
const { build, compiledFor } = JSON.parse(readFileSync(join(__dirname, 'build.json'), 'utf8'))
/** The compiled code beside the files fits only the platform of the build. Others use a folder of the user, see `keepCode`. */
const isShippedForUs = compiledFor === here
const ownFolder = () => join(homedir(), '.cache', 'orch', 'code', `${build}-${here}`)
const cacheOf = file =>
  isShippedForUs
    ? file.replace(/\.cjs$/, '.cache')
    : join(ownFolder(), `${file.slice(__dirname.length + 1).replaceAll(/\W/g, '-')}.cache`)

/** Compiled code of a build is removed after this time. A build that is still in use writes it again. */
const keptMs = 60 * 24 * 3_600_000
const scripts = new Map()

/**
 * Returns the exports of a file of this folder, which the build has already wrapped in a function. It uses cached compiled code,
 * because compiling takes a third of the start. If this Node rejects the cached code, only that time is lost.
 */
function load(name) {
  const file = join(__dirname, name)
  const known = require.cache[file]
  if (known) return known.exports
  const source = readFileSync(file, 'latin1')
  // Compiled code contains the file name that it was compiled under: a full path would be that of the build machine.
  const script = new Script(source, { filename: `orch/${name}`, cachedData: readCodeCache(file) })
  // Registered as if it had been required, so that a later require returns this instance.
  const module = new Module(file)
  module.filename = file
  require.cache[file] = module
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, dirname(file))
  module.loaded = true
  scripts.set(file, script)
  return module.exports
}

/** Files may be copied in any order, so a small difference in time means nothing. */
const sameTimeMs = 60_000

function readCodeCache(file) {
  try {
    const cache = cacheOf(file)
    // Node accepts compiled code for any source of the same length, even if the file was patched afterwards.
    if (statSync(file).mtimeMs > statSync(cache).mtimeMs + sameTimeMs) return undefined
    return readFileSync(cache)
  } catch {
    return undefined
  }
}

/** For the build: writes the compiled code of everything that has run so far beside the files. */
function writeCodeCache() {
  for (const [file, script] of scripts) writeFileSync(file.replace(/\.cjs$/, '.cache'), script.createCachedData())
  writeFileSync(join(__dirname, 'build.json'), JSON.stringify({ build, compiledFor: here }))
}

/** If there is no compiled code for this Node, keeps that of everything that has run so far, where only the user may write. */
function keepCode() {
  const missing = [...scripts].filter(([, { cachedDataRejected }]) => cachedDataRejected !== false)
  // On its own platform, shipped code is only rejected if this process has other V8 options. Code compiled with them would be rejected
  // without them.
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
    // Without it, the next start is slower.
  }
}

function removeOld(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true })
  }
}

/** Whether this Node rejected the compiled code of a file. */
const isCacheRejected = name => scripts.get(join(__dirname, name)).cachedDataRejected

module.exports = { load, writeCodeCache, keepCode, isCacheRejected }

// The first code that runs in the single executable: unpacks the program once, then starts it.
const { getAsset, getRawAsset } = require('node:sea')
const {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const { basename, dirname, join } = require('node:path')

/** Whether a folder belongs to this user and only this user can write to it: anybody else could make us run their code. */
function isOurs(folder) {
  const { uid, mode } = statSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/** The folder of the unpacked program. Unpacks it if necessary. */
function unpacked() {
  const name = `program-${getAsset('hash', 'utf8')}`
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  let parent = join(caches, 'orch')
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 })
    const known = join(parent, name)
    if (existsSync(known) && isOurs(known)) return known
    if (!isOurs(parent)) throw new Error('others can write there')
  } catch {
    // The user has no home, or the disk is read-only: the program is unpacked at each start.
    parent = mkdtempSync(join(tmpdir(), 'orch-program-'))
    process.on('exit', () => rmSync(parent, { recursive: true, force: true }))
  }
  const { deserialize } = require('node:v8')
  const { brotliDecompressSync } = require('node:zlib')
  const files = deserialize(brotliDecompressSync(Buffer.from(getRawAsset('program'))))
  const making = mkdtempSync(join(parent, 'making-'))
  for (const [path, content] of files) {
    mkdirSync(dirname(join(making, path)), { recursive: true })
    writeFileSync(join(making, path), content)
  }
  chmodSync(making, 0o700)
  const made = join(parent, name)
  try {
    renameSync(making, made)
  } catch (error) {
    // Another process was first.
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(made)) throw error
  }
  return made
}

const home = unpacked()
const [self, , first, ...rest] = process.argv
// The server starts its other processes with the file to run as first argument, like Node.
const isOwnFile = first?.startsWith(home) ?? false
// It runs the client if it is called by the client's name, for instance through a link, or if that is the first argument.
const isNamedClient = /^orchctl/.test(basename(process.argv0))
const isClient = isNamedClient || first === 'orchctl'
const main = isClient ? 'dist/bundled/orchctl/main.js' : 'dist/bundled/kernel/main.js'
const words = isClient && !isNamedClient ? rest : process.argv.slice(2)
process.argv = isOwnFile ? [self, first, ...rest] : [self, join(home, main), ...words]

// Code inside an executable cannot import files, but a module among the files can.
const gate = join(home, 'start.cjs')
if (!existsSync(gate)) writeFileSync(gate, 'module.exports = url => import(url)\n')
createRequire(gate)(gate)(require('node:url').pathToFileURL(process.argv[1]).href).catch(error => {
  process.stderr.write(`orch: ${error?.stack ?? error}\n`)
  process.exitCode = 1
})

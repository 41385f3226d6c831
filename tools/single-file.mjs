// Makes one executable from Node and orch (a "single executable application" of Node): dist/orch. It runs without installation.
//
//   npm run build && node tools/single-file.mjs [--output dist/orch] [--try] [--quick]
//
// --try starts the executable. --quick compresses it less, for tests.
//
// Native code cannot be loaded from inside an executable, and plugins are files. So the executable contains the program as one
// compressed asset, which the first start unpacks into the user's cache (see tools/single-file/start.cjs).
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serialize } from 'node:v8'
import { brotliCompressSync, constants } from 'node:zlib'
import { inject } from 'postject'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  options: {
    output: { type: 'string', default: join(root, 'dist/orch') },
    try: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
/** The packages that are not bundled: those with native code, and those that are only loaded when they are needed. */
const packages = ['lmdb', 'jiti', '@grpc/grpc-js', 'undici']
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** @type {Map<string, Buffer>} */
const files = new Map()
function add(path) {
  const from = join(root, path)
  if (statSync(from).isDirectory()) for (const name of readdirSync(from)) add(join(path, name))
  else if (!/\.(d\.[cm]?ts|map|md)$/.test(path)) files.set(path, readFileSync(from))
}
const seen = new Set()
/** Adds a package with its dependencies, as far as npm has installed them for this machine. */
function addPackage(name) {
  const folder = join('node_modules', name)
  if (seen.has(name) || !existsSync(join(root, folder))) return
  seen.add(name)
  add(folder)
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) addPackage(other)
}

for (const path of ['package.json', 'orch.config.ts', 'LICENSE', 'dist/bundled']) add(path)
for (const name of packages) addPackage(name)
const program = brotliCompressSync(serialize(files), {
  params: { [constants.BROTLI_PARAM_QUALITY]: values.quick ? 1 : 9 },
})
const hash = createHash('sha256').update(program).digest('hex').slice(0, 16)

const folder = mkdtempSync(join(tmpdir(), 'orch-single-file-'))
try {
  const at = name => join(folder, name)
  writeFileSync(at('program'), program)
  writeFileSync(at('hash'), hash)
  const config = {
    main: join(root, 'tools/single-file/start.cjs'),
    output: at('blob'),
    disableExperimentalSEAWarning: true,
    assets: { program: at('program'), hash: at('hash') },
  }
  writeFileSync(at('config.json'), JSON.stringify(config))
  execFileSync(process.execPath, ['--experimental-sea-config', at('config.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(values.output, { force: true })
  copyFileSync(process.execPath, values.output)
  chmodSync(values.output, 0o755)
  await inject(values.output, 'NODE_SEA_BLOB', readFileSync(at('blob')), { sentinelFuse: fuse })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const mebibytes = bytes => (bytes / 2 ** 20).toFixed(1)
console.log(
  `${values.output}: ${mebibytes(statSync(values.output).size)} MiB, of which orch is ${mebibytes(program.length)}`,
)
if (values.try) await start(resolve(values.output))

/** Starts a server with workers in an empty folder, without Node on the PATH, and sends it requests with the client. */
async function start(executable) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-single-file-'))
  const env = { HOME: folder }
  const client = join(folder, 'orchctl')
  symlinkSync(executable, client)
  const words = ['serve', '--secure-port', '0', '--workers', '2', '--ready-file', 'ready.json', '--log-format', 'json']
  const server = spawn(executable, words, { cwd: folder, env, stdio: 'inherit' })
  const exited = new Promise(resolve => server.once('exit', resolve))
  try {
    while (!existsSync(join(folder, 'ready.json'))) {
      if (server.exitCode !== null) throw new Error(`the server exited with ${server.exitCode}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const create = ['--config', join(folder, 'data/admin.conf'), 'create', 'namespace', 'town']
    process.stdout.write(execFileSync(client, create, { cwd: folder, env, encoding: 'utf8' }))
    const get = ['orchctl', '--config', join(folder, 'data/admin.conf'), 'get', 'namespace', 'town']
    process.stdout.write(execFileSync(executable, get, { cwd: folder, env, encoding: 'utf8' }))
  } finally {
    server.kill('SIGTERM')
  }
  const code = await exited
  rmSync(folder, { recursive: true, force: true })
  if (code !== 0) throw new Error(`the server exited with ${code} after SIGTERM`)
  console.log('the server responds to the client and stops cleanly')
}

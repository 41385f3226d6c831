// Runs some of the tests on other versions of Node, which are installed as npm packages.
//
//   node tools/test-nodes.mjs [--nodes 22,24] [part of a test path ...]
//
// Build first. By default it runs the tests that depend most on Node: the store and its native code, HTTP and TLS, workers, loading
// of plugins and configs, the code cache, and the binary as a whole.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { nodes: { type: 'string', default: '22,24' } },
})
const chosen = [
  'sdk/client',
  'sdk/controllers',
  'kernel/storage/lmdb',
  'kernel/http',
  'kernel/workers',
  'kernel/pki',
  'test/boot/binary',
  'test/boot/code-cache',
  'test/boot/plugin-forms',
  'test/boot/serve.test',
  'test/boot/process-end',
]
const parts = positionals.length > 0 ? positionals : chosen

/** The executable of a version, from the package that the npm package `node` would install on this machine. Runs no install scripts. */
function programOf(major) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = join(root, 'node_modules/.cache/nodes', major)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${major}`]
  const { status } = spawnSync('npm', install, { stdio: 'inherit' })
  if (status !== 0 || !existsSync(program)) throw new Error(`npm cannot install ${name}@${major}`)
  return program
}

let isFailed = false
for (const major of values.nodes.split(',')) {
  const program = programOf(major)
  const version = String(spawnSync(program, ['--version']).stdout).trim()
  console.log(`\nNode ${version}`)
  // Tests that start `node` by name also use this version; the soak of keep-alive connections runs in full.
  const env = { KEEP_ALIVE_SHARE: '1', ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` }
  const runner = join(root, 'dist/test/support/run-all.js')
  const { status } = spawnSync(program, [runner, ...parts], { cwd: root, env, stdio: 'inherit' })
  isFailed ||= status !== 0
}
process.exitCode = isFailed ? 1 : 0

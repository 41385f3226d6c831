// Runs a part of the tests on other versions of Node, which npm brings as packages.
//
//   node tools/test-nodes.mjs [--nodes 22,24] [part of a test path ...]
//
// Build first. Without parts it runs those that depend most on Node: the store and its native code, HTTP and TLS, workers, how
// plugins and configs are loaded, the code cache, and the binary as a whole.
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

/** The program of a version: the package that `node` of npm would fetch for this machine, without running its scripts. */
function programOf(major) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = join(root, 'node_modules/.cache/nodes', major)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${major}`]
  const { status } = spawnSync('npm', install, { stdio: 'inherit' })
  if (status !== 0 || !existsSync(program)) throw new Error(`npm brings no ${name}@${major}`)
  return program
}

let isFailed = false
for (const major of values.nodes.split(',')) {
  const program = programOf(major)
  const version = String(spawnSync(program, ['--version']).stdout).trim()
  console.log(`\nNode ${version}`)
  // Programs that tests start by name are this one, too.
  const env = { KEEP_ALIVE_SHARE: '1', ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` }
  const runner = join(root, 'dist/test/support/run-all.js')
  const { status } = spawnSync(program, [runner, ...parts], { cwd: root, env, stdio: 'inherit' })
  isFailed ||= status !== 0
}
process.exitCode = isFailed ? 1 : 0

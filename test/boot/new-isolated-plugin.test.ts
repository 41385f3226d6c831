import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../kernel/boot/load-module.js'
import { programFor } from '../support/orch-program.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const orch = (cwd: string, ...words: string[]) =>
  run(process.execPath, [programFor([]), ...words], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, out: stdout as string, err: stderr as string }),
  )
const jiti = join(packageRoot, 'node_modules/jiti/lib/jiti-cli.mjs')
const kinds = ['resource', 'admission', 'controller', 'authenticator', 'authorizer']

interface World {
  /** Has a folder for each kind, with a plugin for a separate process, and one for WebAssembly. */
  folder: Folder
}
const scaffold = suite<World>('orch new plugin --isolation')

scaffold.before(async world => {
  world.folder = temporaryFolder()
  const { path } = world.folder
  mkdirSync(join(path, 'node_modules'))
  symlinkSync(packageRoot, join(path, 'node_modules/orch'))
  for (const name of ['jiti', '@types'])
    symlinkSync(join(packageRoot, 'node_modules', name), join(path, 'node_modules', name))
  const create = async (dir: string, ...words: string[]) =>
    assert.equal((await orch(path, 'new', 'plugin', 'garden-gnomes', '--dir', dir, ...words)).err, '')
  for (const kind of kinds) await create(kind, '--kind', kind, '--isolation', 'worker')
  await create('wasm', '--isolation', 'wasm')
})
scaffold.after(world => world.folder.remove())

scaffold('writes plugins that compile', async ({ folder: { path, write } }) => {
  write('tsconfig.json', JSON.stringify({ extends: './resource/tsconfig.json', include: ['*/*.ts', '*/src/*.ts'] }))
  const { stdout } = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: path }).catch(
    (error: { stdout: string }) => error,
  )
  assert.is(stdout, '')
})

scaffold('writes plugins that pass their tests in a separate process', async ({ folder: { path, write } }) => {
  write('all.test.ts', kinds.map(kind => `import './${kind}/src/plugin.test.js'\n`).join(''))
  const { stdout } = await run(process.execPath, [jiti, 'all.test.ts'], { cwd: path }).catch(
    (error: { stdout: string }) => error,
  )
  assert.match(stdout, /^# fail 0$/m, stdout)
  assert.match(stdout, new RegExp(`^# pass ${kinds.length + 2}$`, 'm'))
})

scaffold('writes a manifest with the permissions of the kind', async ({ folder: { path } }) => {
  const shown = async (kind: string) =>
    (await orch(join(path, kind), 'plugins')).out.split('\ngarden-gnomes\n')[1] ?? ''
  assert.match(await shown('resource'), /isolation +worker\n +permissions +list gardengnomes\.example\.com/)
  assert.not.match(await shown('admission'), /permissions/)
})

scaffold('writes a plugin that conforms in a separate process', async ({ folder: { path } }) => {
  // The kind with a type, a control and a loop; the other kinds are parts of it.
  const fromDir = join(path, 'controller')
  const report = await pluginConformance({ plugin: './src/plugin.ts', fromDir, isolation: 'worker', samples: 2 })
  assert.equal(
    report.results.filter(({ outcome }) => outcome === 'failed').map(({ subject, title }) => `${subject}: ${title}`),
    [],
  )
  assert.ok(report.passed > 0)
})

scaffold('writes a WebAssembly plugin that passes its test and conforms', async ({ folder: { path } }) => {
  const cwd = join(path, 'wasm')
  const compiler = join(packageRoot, 'node_modules/assemblyscript/bin/asc.js')
  const flags = ['assembly/index.ts', '--outFile', 'garden-gnomes.wasm', '--runtime', 'stub', '--optimize']
  await run(process.execPath, [compiler, ...flags], { cwd })
  const { stdout } = await run(process.execPath, [jiti, 'plugin.test.ts'], { cwd })
  assert.match(stdout, /^# pass 1$/m)
  const { code, out } = await orch(cwd, 'conformance', './garden-gnomes.wasm', '--isolation', 'wasm')
  assert.is(code, 0, out)
})

const refused: Readonly<Record<string, readonly [words: readonly string[], why: RegExp]>> = {
  'a route elsewhere': [['--kind', 'route', '--isolation', 'worker'], /routes are served by the process of the server/],
  'other kinds in WebAssembly': [['--kind', 'controller', '--isolation', 'wasm'], /docs\/wasm-plugins\.md/],
  'a grade that does not exist': [['--isolation', 'moon'], /must be one of these:\n {2}in-process/],
}
for (const [title, [words, why]] of Object.entries(refused))
  scaffold(`refuses ${title}`, async () => {
    const { path, remove } = temporaryFolder()
    try {
      const { code, err } = await orch(path, 'new', 'plugin', 'gnomes', ...words)
      assert.is(code, 2)
      assert.match(err, why)
      assert.equal(readdirSync(path), [])
    } finally {
      remove()
    }
  })

scaffold.run()

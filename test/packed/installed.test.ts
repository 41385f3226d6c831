import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { adminGet } from '../boot/admin-get.js'
import { eventually } from '../support/eventually.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'
import { testRunners } from './runners.js'

/**
 * The package as users install it: packed here, installed in an empty folder, used from there. npm finds
 * dependencies in its cache or in a registry. No install scripts are run.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
// Settings of the npm that runs this test are for this repository.
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$/i.test(name)),
)
const compiler = join(root, 'node_modules/.bin/tsc')
const running = promisify(execFile)

/** Runs a program to its end, and throws with its output if it fails. */
const run = (cwd: string, program: string, ...words: string[]): Promise<string> =>
  running(program, words, { cwd, env: environment, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`)
    },
  )
const write = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
const json = (value: object) => JSON.stringify(value, null, 2)

interface World {
  folder: Folder
  /** Where the package is installed, and nothing else. */
  project: string
}
const installed = suite<World>('the package, installed from its tarball')

installed.before(async world => {
  world.folder = temporaryFolder()
  world.project = join(world.folder.path, 'project')
  const [{ filename }] = JSON.parse(
    await run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', world.folder.path),
  )
  write(world.project, { 'package.json': json({ name: 'project', private: true, type: 'module' }) })
  await run(world.project, 'npm', ...install, `../${filename}`)
})
installed.after(world => world.folder.remove())

const source = (name: string) => `import { definePlugin, notFound, services } from 'orch/sdk'
import { type ApiObject } from 'orch/sdk'
import { type RouteRequest } from 'orch/sdk/server'

// The compiler has to name types in its declaration that this file does not import.
export const needed = { authorizer: services.authorizer, client: services.client, now: services.clock }
const stored: ApiObject = { metadata: { name: 'x' } }
export default definePlugin({
  name: '${name}',
  sdk: '^1.0.0',
  register(to) {
    to.route({
      path: '/${name}',
      needs: { clock: services.clock, reader: services.reader },
      handle({ query }: RouteRequest, { clock }: { clock: { now(): number } }) {
        if (query.has('missing')) throw notFound({ group: '', resource: 'things', name: stored.metadata.name })
        if (query.has('broken')) throw new Error('broken ${name}')
        return { body: String(clock.now()) }
      },
    })
  },
})
`
const failingLine =
  1 +
  source('')
    .split('\n')
    .findIndex(line => line.includes("has('broken')"))
const compilerOptions = {
  target: 'es2022',
  strict: true,
  sourceMap: true,
  declaration: true,
  types: ['node'],
  // The declarations of the package are checked once, where every door is compiled.
  skipLibCheck: true,
}
const compiled = (name: string, type: 'module' | 'commonjs'): Record<string, string> => ({
  [`${name}/package.json`]: json({ name, version: '1.0.0', type, exports: './dist/plugin.js' }),
  [`${name}/tsconfig.json`]: json({
    compilerOptions: { ...compilerOptions, module: 'node16', outDir: 'dist', rootDir: 'src' },
    include: ['src'],
  }),
  [`${name}/src/plugin.ts`]: source(name),
})
/** Copies a compiled plugin as a package with another name. */
function copyAs(project: string, from: string, to: string): void {
  const target = join(project, 'node_modules', to)
  cpSync(join(project, from), target, { recursive: true })
  for (const file of ['package.json', 'src/plugin.ts', 'dist/plugin.js']) {
    const path = join(target, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
  }
}
/** It runs in a process that may read the package and itself, and nothing else. */
const isolatedSource = `import { definePlugin, reject } from 'orch/sdk'
export default definePlugin({
  name: 'isolated',
  register: to => to.admission({
    name: 'Isolated',
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: '', resources: ['configmaps'], operations: ['create'] },
    review: ({ object }) => (object.metadata.name === 'refused' ? reject('refused by process ' + process.pid) : undefined),
  }),
})
`
const config = `import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig } from 'orch/sdk'
export default defineConfig({
  securePort: 0,
  plugins: [namespaces, configuration, authentication, authorization, './typescript.ts', { plugin: './isolated.ts', isolation: 'worker' }, './esm-path/dist/plugin.js', './cjs-path/dist/plugin.js', 'esm-name', 'cjs-name'],
})`

installed(
  'serves plugins in TypeScript, compiled to ESM and to CommonJS, by path and by package name',
  async ({ project }) => {
    write(project, {
      'orch.config.js': config,
      'typescript.ts': source('typescript'),
      'isolated.ts': isolatedSource,
      ...compiled('esm-path', 'module'),
      ...compiled('cjs-path', 'commonjs'),
    })
    // Besides ours, these need only the types of Node.
    const types = join(root, 'node_modules/@types')
    for (const folder of ['esm-path', 'cjs-path'])
      await run(join(project, folder), compiler, '-p', '.', '--typeRoots', types)
    copyAs(project, 'esm-path', 'esm-name')
    copyAs(project, 'cjs-path', 'cjs-name')

    const child = spawn(join(project, 'node_modules/.bin/orch'), ['serve', '--log-format', 'json'], {
      cwd: project,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let log = ''
    child.stdout.on('data', text => (out += text))
    child.stderr.on('data', text => (log += text))
    const ended = new Promise(resolve => child.on('close', resolve))
    try {
      await eventually(
        'the server',
        () => {
          if (child.exitCode !== null) throw new Error(log)
          return out.includes('/version\n')
        },
        60_000,
      )
      const admin = join(project, 'data/admin.conf')
      for (const name of ['typescript', 'esm-path', 'cjs-path', 'esm-name', 'cjs-name']) {
        const answer = await adminGet(admin, `/${name}`)
        assert.equal([answer.status, /^\d+$/.test(answer.body)], [200, true], `${name}: ${answer.body}`)
        assert.is((await adminGet(admin, `/${name}?missing`)).status, 404, name)
        assert.is((await adminGet(admin, `/${name}?broken`)).status, 500, name)
        // Locations refer to the source on this machine, not on the one that built the package.
        const line = await eventually('the log', () => log.split('\n').find(each => each.includes(`broken ${name}`)))
        const file = name === 'typescript' ? 'typescript.ts' : `${name}/src/plugin.ts`
        assert.ok(line.includes(`/${file}:${failingLine}:`), line)
      }
      assert.not.ok(log.includes(root), log)
      const listed = await run(project, 'npx', 'orchctl', '--config', admin, 'get', 'namespaces', '-o', 'name')
      assert.match(listed, /namespace\/default/)
      const creating = run(project, 'npx', 'orchctl', '--config', admin, 'create', 'configmap', 'refused')
      const [, process] = /refused by process (\d+)/.exec(await creating.catch(String)) ?? []
      assert.ok(process !== undefined && process !== String(child.pid), `${process} is not a process of its own`)
    } finally {
      child.kill('SIGTERM')
      assert.is(await ended, 0)
      rmSync(join(project, 'orch.config.js'))
    }
  },
)

installed(
  'creates a plugin that can be tested, published, installed elsewhere and used in a config',
  async ({ project, folder }) => {
    await run(project, 'npx', 'orch', 'new', 'plugin', 'garden-gnomes', '--dir', '../gnomes')
    const gnomes = join(folder.path, 'gnomes')
    await run(gnomes, 'npm', ...install)
    await run(gnomes, 'npm', 'run', 'check')
    assert.match(await run(gnomes, 'npm', 'test'), /pass 3\b/)
    assert.match(await run(gnomes, 'npm', 'run', 'conformance'), /garden-gnomes: \d+ passed, 0 failed/)
    await run(gnomes, 'npm', 'pack', '--pack-destination', '..')
    const [tarball] = readdirSync(folder.path).filter(name => name.startsWith('orch-plugin-garden-gnomes'))

    await run(project, 'npm', ...install, `../${tarball}`)
    const gnomesInstalled = join(project, 'node_modules/orch-plugin-garden-gnomes')
    assert.equal(readdirSync(gnomesInstalled).sort(), ['README.md', 'dist', 'package.json'])
    assert.not.match(readdirSync(join(gnomesInstalled, 'dist')).join(), /test|config/)
    const config = { plugins: ['orch/plugins/namespaces', 'orch-plugin-garden-gnomes'] }
    write(project, { 'gnomes.config.mjs': `export default ${json(config)}` })
    const plugins = await run(project, 'npx', 'orch', 'plugins', '--config', 'gnomes.config.mjs')
    assert.match(plugins, /gardengnomes\.example\.com \(v1\)/)
    assert.match(
      await run(project, 'npx', 'orch', 'conformance', 'orch-plugin-garden-gnomes', '--only', 'plugin garden-gnomes'),
      /garden-gnomes: \d+ passed, 0 failed/,
    )
  },
)

installed(
  'includes all types that its own refer to: every entry point compiles without other packages',
  async ({ project }) => {
    const orch = join(project, 'node_modules/orch')
    const { exports } = JSON.parse(readFileSync(join(orch, 'package.json'), 'utf8')) as { exports: object }
    const doors = [
      ...Object.keys(exports).filter(path => path.startsWith('./sdk')),
      ...readdirSync(join(orch, 'plugins')).map(name => `./plugins/${name}`),
    ]
    const imports = doors.map((path, at) => `import * as door${at} from '${path.replace('.', 'orch')}'\n`).join('')
    const uses = `export const doors: readonly object[] = [${doors.map((_, at) => `door${at}`).join(', ')}]\n`
    const own = join(project, 'strict')
    write(own, {
      'package.json': json({ private: true }),
      // One that imports and one that requires: their declarations are different files.
      'doors.mts': imports + uses,
      'doors.cts': imports + uses,
      // No `types`, no `typeRoots`, and nothing is skipped.
      'tsconfig.json': json({
        compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false },
        include: ['doors.mts', 'doors.cts'],
      }),
    })
    await run(own, compiler, '-p', '.')
  },
)

testRunners(installed, { run, write, install, compiler, typeRoots: join(root, 'node_modules/@types') })

installed.run()

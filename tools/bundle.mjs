// Joins the compiled modules into a few files that are what npm installs: a start then reads a dozen files instead of a
// thousand. The sdk is a file of its own, which the program and every plugin share, whether they import or require it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildConsolePage } from './build-console-page.mjs'
import { noticePlugin, writeNotices } from './write-notices.mjs'

const tools = dirname(fileURLToPath(import.meta.url))
const root = dirname(tools)
const dist = join(root, 'dist')
const outdir = join(dist, 'bundled')
const plugins = readdirSync(join(dist, 'plugins')).filter(name => existsSync(join(dist, 'plugins', name, 'plugin.js')))

/** The doors of the sdk beside the main one. */
const shelves = [
  'admission',
  'client',
  'controllers',
  'core',
  'expressions',
  'files',
  'host',
  'identity',
  'proposed',
  'server',
  'validation',
]
/** What can be imported by name, and where its modules are. */
const sdkDoors = {
  'orch/sdk': 'sdk/index.js',
  ...Object.fromEntries(shelves.map(name => [`orch/sdk/${name}`, `sdk/${name}/index.js`])),
}
/** Everything behind these doors: the one instance. */
const wholeSdk = 'sdk/all-doors.js'
const programDoors = {
  'orch/sdk/testing': 'sdk/testing/index.js',
  ...Object.fromEntries(plugins.map(name => [`orch/plugins/${name}`, `plugins/${name}/plugin.js`])),
}
/** Loaded by the plugin `tracing` when traces are sent, with a dozen packages of their own. */
const tracingPackages = ['core', 'exporter-trace-otlp-http', 'resources'].map(name => `@opentelemetry/${name}`)
/** What of the program can be reached from outside. */
const programModules = [...Object.values(programDoors), 'orch.config.js', 'orch.commands.js']
const namesOf = async path => Object.keys(await import(pathToFileURL(join(dist, path)).href))

/** Modules that are not bundled, those of tests for instance, mean each other when they import the doors by name. */
function writeScope() {
  const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const doors = Object.entries({ ...sdkDoors, ...programDoors }).map(([door, path]) => [
    door.replace(name, '.'),
    `./${path}`,
  ])
  const exports = { ...Object.fromEntries(doors), './package.json': './package.json' }
  writeFileSync(join(dist, 'package.json'), JSON.stringify({ name, version, type, private: true, exports }))
}

/**
 * Dependencies stay where npm put them when they bring native code, start workers from files of theirs, or are loaded
 * only by those who need them. The others are many small files that every start would look up and read.
 */
function resolveImports({ external = [] } = {}) {
  const kept = ['lmdb', 'jiti', '@grpc/grpc-js', 'esbuild', 'typescript', ...tracingPackages]
  // One module, whichever door was asked for: each would take every name out of the same instance again.
  const theSdk = { path: 'sdk', namespace: 'sdk' }
  return {
    name: 'resolve-imports',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('/')) return undefined
        if (external.includes(path)) return theSdk
        const door = { ...sdkDoors, ...programDoors }[path]
        if (door) return { path: join(dist, door) }
        const isKept = path.startsWith('node:') || kept.some(name => path === name || path.startsWith(`${name}/`))
        return isKept ? { path, external: true } : undefined
      })
      // The test kit is part of the sdk and of the program: what it imports of the sdk is what everybody shares.
      onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
        if (external.length === 0 || !resolveDir.startsWith(join(dist, 'sdk/testing'))) return undefined
        const target = relative(join(dist, 'sdk'), join(resolveDir, path))
        return target.startsWith('..') || target.startsWith('testing') ? undefined : theSdk
      })
      // Metrics of the process are our own (kernel/observe), and theirs load much that is slow to load.
      onResolve({ filter: /\/defaultMetrics$/ }, ({ path, importer }) =>
        importer.includes('prom-client') ? { path, namespace: 'none' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }))
      onLoad({ filter: /.*/, namespace: 'sdk' }, () => ({
        contents: `export const { ${sdkNames.join(', ')} } = require('./sdk/index.cjs')`,
        resolveDir: outdir,
      }))
      onResolve({ filter: /^\.\/sdk\/index\.cjs$/ }, ({ path }) => ({ path, external: true }))
    },
  }
}
function common(settings) {
  return {
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    // A running server keeps the text of its program in memory.
    minifyWhitespace: true,
    lineLimit: 160,
    logLevel: 'warning',
    plugins: [noticePlugin, resolveImports(settings)],
  }
}
/** Files of the kind whose machine code Node can keep. */
const cacheable = {
  format: 'cjs',
  // Code that comes from a cache cannot import in Node 20; nor need it, since all it loads can be required.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'orchUrl' },
  // Wrapped as Node would do it: millions of characters need not be copied for that at every start.
  banner: { js: `${Module.wrapper[0]}const orchUrl = require('node:url').pathToFileURL(__filename).href;` },
  footer: { js: Module.wrapper[1] },
  // Beside the files, and read only when an error is shown: kernel/observe/source-positions.ts.
  sourcemap: 'external',
  sourcesContent: false,
}

/** The client of HTTP is a file of its own, for it is loaded only by servers that call somebody. */
const undiciBesides = {
  name: 'undici-besides',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /sdk\/client\/load-undici\.js$/ }, () => ({
      contents: "export const loadUndici = () => require('../load-cached.cjs').load('undici.cjs')",
    }))
    onResolve({ filter: /^\.\.\/load-cached\.cjs$/ }, ({ path }) => ({ path, external: true }))
  },
}

async function bundleSdk() {
  const settings = common()
  await build({
    ...settings,
    ...cacheable,
    plugins: [undiciBesides, ...settings.plugins],
    entryPoints: [join(dist, wholeSdk)],
    outfile: join(outdir, 'sdk/instance.cjs'),
  })
  await build({
    ...settings,
    ...cacheable,
    stdin: {
      // What sdk/client/load-undici.ts names. The rest of it would load Node's own copy as well.
      contents: `module.exports = {
        Agent: require('undici/lib/dispatcher/agent.js'),
        Pool: require('undici/lib/dispatcher/pool.js'),
        ProxyAgent: require('undici/lib/dispatcher/proxy-agent.js'),
        buildConnector: require('undici/lib/core/connect.js'),
      }
      // As its index does: request, stream and the like are methods of every dispatcher.
      Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'))`,
      resolveDir: root,
    },
    outfile: join(outdir, 'undici.cjs'),
  })
  const { sdkVersion } = await import(pathToFileURL(join(dist, wholeSdk)).href)
  writeFileSync(join(outdir, 'sdk/names.json'), JSON.stringify({ version: sdkVersion, names: sdkNames }))
  cpSync(join(tools, 'bundled/sdk-door.cjs'), join(outdir, 'sdk/index.cjs'))
  cpSync(join(tools, 'bundled/load-cached.cjs'), join(outdir, 'load-cached.cjs'))
}

/** The kernel, the plugins that come with it and the test kit. */
async function bundleProgram() {
  await build({
    ...common({ external: Object.keys(sdkDoors) }),
    ...cacheable,
    stdin: {
      contents: [
        "import 'reflect-metadata'",
        "export { runCommandLine } from './kernel/commands/run-command-line.js'",
        "export { runBinary } from './kernel/commands/this-process.js'",
        "export { runPluginProcess } from './kernel/plugin-process/run-plugin-process.js'",
        "export { bundledModules, importWith } from './kernel/boot/load-module.js'",
        "import { bundledModules } from './kernel/boot/load-module.js'",
        ...programModules.map(path => `bundledModules.set('${path}', () => require('./${path}'))`),
      ].join('\n'),
      resolveDir: dist,
    },
    outfile: join(outdir, 'program.cjs'),
  })
  mkdirSync(join(outdir, 'kernel/plugin-process'), { recursive: true })
  cpSync(join(tools, 'bundled/main.js'), join(outdir, 'kernel/main.js'))
  cpSync(join(tools, 'bundled/plugin-process.js'), join(outdir, 'kernel/plugin-process/main.js'))
  writeFileSync(join(outdir, 'kernel/package.json'), '{ "type": "commonjs" }\n')
}

/** Files by which others reach what is in the program and in the sdk, one for `import` and one for `require`. */
async function writeDoors() {
  for (const path of Object.values(sdkDoors)) {
    const whole = `${relative(dirname(path), 'sdk') || '.'}/index.cjs`
    mkdirSync(dirname(join(outdir, path)), { recursive: true })
    writeDoor(path, await namesOf(path), `'${whole}'`)
    const required = join(outdir, path).replace(/js$/, 'cjs')
    if (!existsSync(required)) writeFileSync(required, `'use strict'\nmodule.exports = require('${whole}')\n`)
  }
  for (const path of programModules) {
    const target = join(outdir, path)
    const loader = `${relative(dirname(target), outdir) || '.'}/load-cached.cjs`
    const lines = [
      "'use strict'",
      `module.exports = require('${loader}').load('program.cjs').bundledModules.get('${path}')()`,
    ]
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target.replace(/js$/, 'cjs'), `${lines.join('\n')}\n`)
    writeDoor(path, await namesOf(path), `'./${path.split('/').at(-1).replace(/js$/, 'cjs')}'`)
  }
}
function writeDoor(path, names, source) {
  const lines = [
    "import { createRequire } from 'node:module'",
    `const { ${names.map(name => (name === 'default' ? 'default: main' : name)).join(', ')} } = createRequire(import.meta.url)(${source})`,
    `export { ${names.map(name => (name === 'default' ? 'main as default' : name)).join(', ')} }`,
  ]
  writeFileSync(join(outdir, path), `${lines.join('\n')}\n`)
}

/** What the program runs in threads: found beside it, and small, since that of YAML is started while a request waits. */
async function bundleThreads() {
  for (const path of [
    'kernel/representation/yaml-worker.js',
    'plugins/tracing/export-worker.js',
    'plugins/custom-resources/schemas/validation-worker.js',
  ])
    await build({
      ...common(),
      entryPoints: [join(dist, path)],
      outfile: join(outdir, basename(path)),
      format: 'esm',
    })
}

async function bundleOrchctl() {
  await build({
    ...common(),
    entryPoints: [join(dist, 'orchctl/main.js')],
    outdir,
    outbase: dist,
    splitting: true,
    format: 'esm',
    // CommonJS dependencies ask for modules of Node by `require`, which an ES module does not have.
    banner: {
      js: "import { createRequire as orchRequire } from 'node:module'; const require = orchRequire(import.meta.url);",
    },
  })
}

/**
 * The types of what can be imported, and of all that they mention. Twice: TypeScript takes those in a folder of CommonJS for
 * the types of what is required. Those that are imported name the types of Node, which the package brings: since TypeScript 6
 * nothing is taken from node_modules/@types that nobody names.
 */
function writeTypes() {
  const open = [...Object.values(sdkDoors), ...Object.values(programDoors)].map(path => path.replace(/js$/, 'd.ts'))
  const doors = new Set(open)
  const seen = new Set(open)
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const text = readFileSync(join(dist, path), 'utf8').replace(/\n\/\/# sourceMappingURL.*\n?$/, '\n')
    for (const form of ['types', 'commonjs']) {
      mkdirSync(dirname(join(outdir, form, path)), { recursive: true })
      writeFileSync(join(outdir, form, path), doors.has(path) ? `/// <reference types="node" />\n${text}` : text)
    }
    for (const [, target] of text.matchAll(/(?:from |import\(?)["'](\.[^"']+)\.js["']/g)) {
      const mentioned = join(dirname(path), `${target}.d.ts`)
      if (!seen.has(mentioned)) open.push(mentioned)
      seen.add(mentioned)
    }
  }
  writeFileSync(join(outdir, 'commonjs/package.json'), '{ "type": "commonjs" }\n')
}

/** Tells this build from others. Node takes compiled code for another text of the same length. */
function writeBuild() {
  const hash = createHash('sha256')
  for (const name of ['program.cjs', 'sdk/instance.cjs', 'undici.cjs']) hash.update(readFileSync(join(outdir, name)))
  writeFileSync(join(outdir, 'build.json'), JSON.stringify({ build: hash.digest('hex').slice(0, 16), compiledFor: '' }))
}

/** Not having it costs time at every start and nothing else, so a machine where it cannot be made is no failure. */
function writeCodeCache() {
  const { status, stderr } = spawnSync(process.execPath, [join(tools, 'write-code-cache.mjs')], { timeout: 60_000 })
  if (status !== 0) console.warn(`no code cache, so starts will take longer: ${stderr}`)
}

/** What browsers load of the examples is not compiled. */
function copyExampleModules() {
  for (const name of readdirSync(join(root, 'examples'), { recursive: true }))
    if (name.endsWith('.js')) cpSync(join(root, 'examples', name), join(dist, 'examples', name))
}

writeScope()
copyExampleModules()
const sdkNames = await namesOf(wholeSdk)
rmSync(outdir, { recursive: true, force: true })
await bundleSdk()
await bundleProgram()
await bundleThreads()
await bundleOrchctl()
await buildConsolePage(outdir)
writeNotices(join(outdir, 'THIRD-PARTY.txt'))
await writeDoors()
writeTypes()
const { writeReference } = await import(pathToFileURL(join(dist, 'tools/sdk-reference.js')).href)
writeReference()
writeBuild()
writeCodeCache()

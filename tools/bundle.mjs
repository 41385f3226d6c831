// Bundles the compiled modules into the few files that npm installs, so that a start reads a dozen files instead of a thousand.
// The sdk is a separate file, which the program and all plugins share, whether they import or require it.
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

/** The entry points of the sdk besides the main one. */
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
/** What plugins import by name, and the modules behind the names. */
const sdkDoors = {
  'orch/sdk': 'sdk/index.js',
  ...Object.fromEntries(shelves.map(name => [`orch/sdk/${name}`, `sdk/${name}/index.js`])),
}
/** Everything behind these entry points, as one module. */
const wholeSdk = 'sdk/all-doors.js'
const programDoors = {
  'orch/sdk/testing': 'sdk/testing/index.js',
  ...Object.fromEntries(plugins.map(name => [`orch/plugins/${name}`, `plugins/${name}/plugin.js`])),
}
/** Loaded by the plugin `tracing` only if traces are sent, since they load a dozen other packages. */
const tracingPackages = ['core', 'exporter-trace-otlp-http', 'resources'].map(name => `@opentelemetry/${name}`)
/** The modules of the program that can be imported from outside. */
const programModules = [...Object.values(programDoors), 'orch.config.js', 'orch.commands.js']
const namesOf = async path => Object.keys(await import(pathToFileURL(join(dist, path)).href))

/** Modules that are not bundled, such as those of tests, import each other when they import the entry points by name. */
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
 * Dependencies remain in node_modules if they contain native code, start workers from their own files, or are only loaded when
 * they are needed. The others are bundled: they consist of many small files, which every start would look up and read.
 */
function resolveImports({ external = [] } = {}) {
  const kept = ['lmdb', 'jiti', '@grpc/grpc-js', 'esbuild', 'typescript', ...tracingPackages]
  // One module for all entry points: otherwise each would destructure all names of the same instance again.
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
      // The test kit is part of the sdk, but is bundled with the program: it has to import the shared instance of the sdk.
      onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
        if (external.length === 0 || !resolveDir.startsWith(join(dist, 'sdk/testing'))) return undefined
        const target = relative(join(dist, 'sdk'), join(resolveDir, path))
        return target.startsWith('..') || target.startsWith('testing') ? undefined : theSdk
      })
      // kernel/observe has the metrics of the process; those of prom-client load slow modules.
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
    // A running server keeps its source text in memory.
    minifyWhitespace: true,
    lineLimit: 160,
    logLevel: 'warning',
    plugins: [noticePlugin, resolveImports(settings)],
  }
}
/** Settings for files whose compiled code is cached, see tools/bundled/load-cached.cjs. */
const cacheable = {
  format: 'cjs',
  // Code from a cache cannot use `import()` in Node 20, and does not need it: everything that it loads can be required.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'orchUrl' },
  // Wrapped here as Node would wrap it, which would copy millions of characters at every start.
  banner: { js: `${Module.wrapper[0]}const orchUrl = require('node:url').pathToFileURL(__filename).href;` },
  footer: { js: Module.wrapper[1] },
  // Separate files that are only read to print an error: kernel/observe/source-positions.ts.
  sourcemap: 'external',
  sourcesContent: false,
}

/** The HTTP client is a separate file, because only servers that send requests load it. */
const separateUndici = {
  name: 'separate-undici',
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
    plugins: [separateUndici, ...settings.plugins],
    entryPoints: [join(dist, wholeSdk)],
    outfile: join(outdir, 'sdk/instance.cjs'),
  })
  await build({
    ...settings,
    ...cacheable,
    stdin: {
      // What sdk/client/load-undici.ts uses. The rest of undici would load Node's built-in copy as well.
      contents: `module.exports = {
        Agent: require('undici/lib/dispatcher/agent.js'),
        Pool: require('undici/lib/dispatcher/pool.js'),
        ProxyAgent: require('undici/lib/dispatcher/proxy-agent.js'),
        buildConnector: require('undici/lib/core/connect.js'),
      }
      // As in the index of undici: request, stream and so on are methods of every dispatcher.
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

/** The kernel, the first-party plugins and the test kit. */
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

/** The entry points of the program and of the sdk: a file for `import` and one for `require` each. */
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

/** The code of threads. Their files must be small: the YAML thread is started while a request waits. */
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
    // CommonJS dependencies load modules of Node with `require`, which an ES module does not have.
    banner: {
      js: "import { createRequire as orchRequire } from 'node:module'; const require = orchRequire(import.meta.url);",
    },
  })
}

/**
 * The declarations of all entry points, and all declarations that they refer to. They are written twice, because TypeScript uses those
 * in a CommonJS folder for `require`. Entry points reference the types of Node, a dependency of the package: since TypeScript 6,
 * packages in node_modules/@types are only used if they are referenced.
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

/** Writes the id of the build. Without it Node would accept compiled code of another build whose files have the same length. */
function writeBuild() {
  const hash = createHash('sha256')
  for (const name of ['program.cjs', 'sdk/instance.cjs', 'undici.cjs']) hash.update(readFileSync(join(outdir, name)))
  writeFileSync(join(outdir, 'build.json'), JSON.stringify({ build: hash.digest('hex').slice(0, 16), compiledFor: '' }))
}

/** Without the cache, starts are only slower, so the build does not fail if it cannot be written. */
function writeCodeCache() {
  const { status, stderr } = spawnSync(process.execPath, [join(tools, 'write-code-cache.mjs')], { timeout: 60_000 })
  if (status !== 0) console.warn(`no code cache was written, starts will be slower: ${stderr}`)
}

/** Copies the modules of examples that browsers load, which are not compiled. */
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

// Joins the compiled modules into a few files for the binaries: a start then reads a dozen files instead of a thousand.
// The library doors (orch/sdk, orch/plugins/*) stay as tsc wrote them; plugins that the binary loads share its copy of the
// sdk because kernel/boot/load-module.ts points them to the doors that are made here.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const tools = dirname(fileURLToPath(import.meta.url))
const dist = join(dirname(tools), 'dist')
const outdir = join(dist, 'bundled')
const plugins = readdirSync(join(dist, 'plugins')).filter(name => existsSync(join(dist, 'plugins', name, 'plugin.js')))
/** What can be imported by name. The test kit is no part of the program: test runs have their own way to it. */
const testing = { 'orch/sdk/testing': 'sdk/testing/index.js' }
const doors = {
  'orch/sdk': 'sdk/index.js',
  ...Object.fromEntries(plugins.map(name => [`orch/plugins/${name}`, `plugins/${name}/plugin.js`])),
}

/** What of the program can be reached by a path. */
const modules = [...Object.values(doors), 'orch.config.js']

/**
 * Dependencies stay where npm put them when they bring native code, start workers from files of theirs, or are loaded
 * only by those who need them. The others are many small files that every start would look up and read.
 */
const kept = ['lmdb', 'jiti', '@grpc/grpc-js', 'esbuild', 'typescript']
const resolveImports = {
  name: 'resolve-imports',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path.startsWith('/')) return undefined
      const door = { ...doors, ...testing }[path]
      if (door) return { path: join(dist, door) }
      const isKept = path.startsWith('node:') || kept.some(name => path === name || path.startsWith(`${name}/`))
      return isKept ? { path, external: true } : undefined
    })
  },
}
const common = {
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  target: 'node20',
  logLevel: 'warning',
  plugins: [resolveImports],
}

rmSync(outdir, { recursive: true, force: true })
await bundleProgram()
await writeDoors()
await bundleOrchctl()
writeCodeCache()

/** The kernel and everything behind its doors, in one file of the kind whose machine code Node can keep. */
async function bundleProgram() {
  await build({
    ...common,
    stdin: {
      contents: [
        "import 'reflect-metadata'",
        "export { runCommandLine } from './kernel/commands/run-command-line.js'",
        "export { thisProcess } from './kernel/commands/this-process.js'",
        "export { bundledModules } from './kernel/boot/load-module.js'",
        "import { bundledModules } from './kernel/boot/load-module.js'",
        ...modules.map(path => `bundledModules.set('${path}', () => require('./${path}'))`),
      ].join('\n'),
      resolveDir: dist,
    },
    outfile: join(outdir, 'program.cjs'),
    format: 'cjs',
    // Code that comes from a cache cannot import in Node 20; nor need it, since all it loads can be required.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'orchUrl' },
    banner: { js: "const orchUrl = require('node:url').pathToFileURL(__filename).href;" },
  })
  mkdirSync(join(outdir, 'kernel'), { recursive: true })
  cpSync(join(tools, 'bundled/main.js'), join(outdir, 'kernel/main.js'))
  cpSync(join(tools, 'bundled/load-program.js'), join(outdir, 'load-program.js'))
}

/** Files by which plugins from elsewhere reach what is in the program. */
async function writeDoors() {
  for (const path of modules) {
    const names = Object.keys(await import(pathToFileURL(join(dist, path)).href))
    const target = join(outdir, path)
    const program = relative(dirname(target), outdir) || '.'
    const lines = [
      "import { createRequire } from 'node:module'",
      `const { bundledModules } = createRequire(import.meta.url)('${program}/program.cjs')`,
      `const { ${names.map(name => (name === 'default' ? 'default: main' : name)).join(', ')} } = bundledModules.get('${path}')()`,
      `export { ${names.map(name => (name === 'default' ? 'main as default' : name)).join(', ')} }`,
    ]
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, `${lines.join('\n')}\n`)
  }
}

async function bundleOrchctl() {
  await build({
    ...common,
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

/** Not having it costs time at every start and nothing else, so a machine where it cannot be made is no failure. */
function writeCodeCache() {
  const { status, stderr } = spawnSync(process.execPath, [join(tools, 'write-code-cache.mjs')], { timeout: 60_000 })
  if (status !== 0) console.warn(`no code cache, so starts will take longer: ${stderr}`)
}

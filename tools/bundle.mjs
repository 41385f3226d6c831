// Joins the compiled modules into a few files for the binary: a start then reads a dozen files instead of a thousand.
// The library doors (orch/sdk, orch/plugins/*) stay as tsc wrote them; plugins that the binary loads share its copy of the
// sdk because kernel/boot/load-module.ts points them to it.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist')
const outdir = join(dist, 'bundled')
const plugins = readdirSync(join(dist, 'plugins')).filter(name => existsSync(join(dist, 'plugins', name, 'plugin.js')))
const doors = {
  'orch/sdk': join(dist, 'sdk/index.js'),
  'orch/sdk/testing': join(dist, 'sdk/testing/index.js'),
  ...Object.fromEntries(plugins.map(name => [`orch/plugins/${name}`, join(dist, 'plugins', name, 'plugin.js')])),
}

/**
 * Dependencies stay where npm put them when they bring native code, start workers from files of theirs, or are loaded
 * only by those who need them. The others are many small files that every start would look up and read.
 */
const kept = ['lmdb', 'pino', 'jiti', '@grpc/grpc-js', 'esbuild', 'typescript']
const resolveImports = {
  name: 'resolve-imports',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path.startsWith('/')) return undefined
      if (doors[path]) return { path: doors[path] }
      const isKept = path.startsWith('node:') || kept.some(name => path === name || path.startsWith(`${name}/`))
      return isKept ? { path, external: true } : undefined
    })
  },
}

rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: [
    join(dist, 'kernel/main.js'),
    join(dist, 'orch.config.js'),
    ...(existsSync(join(dist, 'orchctl/main.js')) ? [join(dist, 'orchctl/main.js')] : []),
    ...Object.values(doors).filter(path => !path.includes('testing')),
  ],
  outdir,
  outbase: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'],
  target: 'node20',
  // CommonJS dependencies ask for modules of Node by `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as orchRequire } from 'node:module'; const require = orchRequire(import.meta.url);",
  },
  logLevel: 'warning',
  plugins: [resolveImports],
})

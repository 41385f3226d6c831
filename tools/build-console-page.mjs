// Builds the page of the console: type-checked, bundled, minified, with hashes in the names of files, and compressed ahead of time, so
// that a server only has to send files.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { noticePlugin } from './write-notices.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'plugins/console/page')
const outdir = join(root, 'dist/plugins/console/built-page')
/** The maximum compressed size of everything that a browser loads once all views were opened. */
const limitBytes = 350 * 1024

function checkTypes() {
  const program = join(root, 'node_modules/.bin/tsc')
  const { status } = spawnSync(program, ['-p', source], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the page of the console has type errors')
}

/**
 * Keeps the program in one chunk. Views that are loaded later share different parts of it, and esbuild would make a chunk of each such
 * part, so that a browser would have to load five. A view that imports the program shares all of it.
 */
const oneProgram = {
  name: 'one-program',
  setup({ onLoad }) {
    onLoad({ filter: /\/views\/(?:object|create|server)-view\.tsx$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nimport '../main.js'\n`,
      loader: 'tsx',
    }))
  },
}

async function bundlePage() {
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: [join(source, 'main.tsx'), join(source, 'styles/console.css')],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [noticePlugin, oneProgram],
    tsconfigRaw: {},
  })
  const outputOf = end =>
    Object.entries(metafile.outputs)
      .find(([, { entryPoint }]) => entryPoint?.endsWith(end))?.[0]
      .split('/')
      .at(-1)
  const icon = 'icon.svg'
  cpSync(join(source, icon), join(outdir, icon))
  // Chunks that the program imports are loaded in parallel with it, not after it.
  const program = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint?.endsWith('main.tsx'))
  const parts = program.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => path.split('/').at(-1))
  const preloads = parts.map(name => `    <link rel="modulepreload" href="${name}" />\n`).join('')
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('    <script', `${preloads}    <script`)
    .replace('main.tsx', outputOf('main.tsx'))
    .replace('console.css', outputOf('console.css'))
  writeFileSync(join(outdir, 'index.html'), page)
}

/** Writes the compressed forms of each file beside it. */
function compress() {
  let total = 0
  for (const name of readdirSync(outdir)) {
    const content = readFileSync(join(outdir, name))
    const brotli = brotliCompressSync(content)
    writeFileSync(join(outdir, `${name}.br`), brotli)
    writeFileSync(join(outdir, `${name}.gz`), gzipSync(content, { level: 9 }))
    total += brotli.length
  }
  if (total > limitBytes)
    throw new Error(`the page of the console has ${total} compressed bytes; at most ${limitBytes} are allowed`)
  return total
}

export async function buildConsolePage(bundled) {
  checkTypes()
  await bundlePage()
  const bytes = compress()
  const copy = join(bundled, 'plugins/console/built-page')
  mkdirSync(copy, { recursive: true })
  cpSync(outdir, copy, { recursive: true })
  return bytes
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(`console page: ${await buildConsolePage(join(root, 'dist/bundled'))} bytes compressed`)

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  }),
) as [{ files: { path: string }[]; size: number }]
const files = packed[0].files.map(({ path }) => path)
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** Patterns of all published files. */
const expected: readonly RegExp[] = [
  /^(package\.json|LICENSE|(README|CHANGELOG|SECURITY)\.md|orch\.config\.ts)$/,
  /^docs\/[a-z-]+\.md$/,
  /^docs\/reference\/[a-zA-Z-]+\.md$/,
  /^docs\/[a-z-]+\.svg$/,
  /^examples\/[a-z-]+\/(README\.md|[a-z0-9-]+\.(ts|js))$/,
  /^examples\/test-your-controller\/(go|python|java|java-fabric8)\/([a-z]+\/)*[\w.]+\.(mod|go|py|xml|java)$/,
  /^examples\/recipes-wasm\/(package\.json|assembly\/[a-z]+\.ts)$/,
  /^(sdk|plugins\/[a-z-]+)\/README\.md$/,
  /^dist\/bundled\/(kernel|kernel\/plugin-process|orchctl)\/main\.js$/,
  /^dist\/bundled\/(orchctl\/)?[a-z-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/bundled\/[a-z]+-worker\.js$/,
  /^dist\/bundled\/(load-cached\.cjs|program\.cjs|program\.cjs\.map|program\.cache|undici\.cjs|undici\.cjs\.map|undici\.cache|orch\.(config|commands)\.c?js)$/,
  /^dist\/bundled\/sdk\/(instance\.cjs|instance\.cjs\.map|instance\.cache|names\.json)$/,
  /^dist\/bundled\/sdk\/([a-z]+\/)?index\.c?js$/,
  /^dist\/bundled\/plugins\/[a-z-]+\/plugin\.c?js$/,
  /^dist\/bundled\/plugins\/console\/built-page\/[a-zA-Z0-9-]+\.(css|js|svg|html)(\.br|\.gz)?$/,
  /^packaging\/systemd\/orch\.(service|socket)$/,
  /^docs\/console\/[a-z-]+-1440-(light|dark)\.webp$/,
  /^packaging\/(grafana\/orch-dashboard\.json|prometheus\/orch-rules\.yaml)$/,
  /^libs\/[a-z-]+\/README\.md$/,
  /^dist\/bundled\/(types|commonjs)\/(sdk|kernel|libs|plugins)\/[a-z0-9/-]+\.d\.ts$/,
  /^dist\/bundled\/(commonjs|kernel)\/package\.json$/,
  /^dist\/bundled\/(build\.json|THIRD-PARTY\.txt)$/,
]

const contents = suite('the contents of the package')

contents('are what is expected, and nothing else', () => {
  assert.equal(
    files.filter(path => !expected.some(pattern => pattern.test(path))),
    [],
  )
  assert.equal(
    files.filter(path => /\.test\.|fixture|golden/.test(path)),
    [],
  )
  // Fourteen versions of the API are in it.
  assert.ok(packed[0].size < 9_000_000, `${packed[0].size} bytes`)
})

contents('contain no path of the build machine, and no missing source map', () => {
  const naming = files.filter(path => path.startsWith('dist/') && readFileSync(join(root, path)).includes(root))
  assert.equal(naming, [])
  const mapped = files.filter(path => /\.[cm]?js$|\.d\.ts$/.test(path) && /^\/\/# sourceMappingURL/m.test(textOf(path)))
  assert.equal(mapped, [])
})

contents('include the licenses of bundled third-party code', () => {
  const notices = textOf('dist/bundled/THIRD-PARTY.txt')
    .split(`\n\n${'-'.repeat(80)}\n\n`)
    .slice(1)
  const names = notices.map(notice => notice.split(' ')[0])
  // Of the program, its HTTP client, the command line, and the page of the console.
  for (const name of ['pino', 'undici', 'yaml', 'preact', '@codemirror/view']) assert.ok(names.includes(name), name)
  for (const notice of notices)
    assert.match(notice.split('\n')[0]!, /^\S+ \d\S* \((MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0.*|.*BSD-3-Clause.*)\)/)
})

contents('include every entry point of package.json, for import, require and types', () => {
  const { exports, bin } = JSON.parse(textOf('package.json')) as {
    exports: Record<string, unknown>
    bin: Record<string, string>
  }
  const targets = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(targets)
  const plugins = files.flatMap(path => /^dist\/bundled\/plugins\/([^/]+)\/plugin\.js$/.exec(path)?.[1] ?? [])
  assert.ok(plugins.length > 10)
  const all = [...targets(exports), ...Object.values(bin)].flatMap(target =>
    target.includes('*') ? plugins.map(name => target.replace('*', name)) : [target],
  )
  assert.equal(
    all.filter(target => !files.includes(normalize(target))),
    [],
  )
})

contents('have no broken links in documents and no missing types', () => {
  const broken: string[] = []
  for (const path of files.filter(name => name.endsWith('.md')))
    for (const [, target = ''] of textOf(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const linked = normalize(join(dirname(path), target))
      if (!files.some(file => file === linked || file.startsWith(`${linked}/`)))
        broken.push(`${path}: ${target}${existsSync(join(root, linked)) ? '' : ' (nowhere)'}`)
    }
  for (const path of files.filter(name => name.endsWith('.d.ts')))
    for (const [, target = ''] of textOf(path).matchAll(/(?:from |import\(?)["'](\.[^"']+)\.js["']/g))
      if (!files.includes(join(dirname(path), `${target}.d.ts`))) broken.push(`${path}: ${target}`)
  assert.equal(broken, [])
})

contents.run()

// Writes archives in the layout that setup-envtest downloads: a .tar.gz with programs for each platform, its sha512, and an index.
// The programs need Node 20 or newer on the PATH, but no installation of orch: they contain it, and unpack it once.
//   node tools/envtest-archive.mjs [FOLDER] [--url URL OF THE FOLDER]
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { etcdHelp } from '../dist/plugins/envtest/etcd-stand-in.js'
import { referenceHelp } from '../dist/plugins/envtest/reference-flags.js'
import { kubernetesProfile } from '../dist/sdk/index.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({ options: { url: { type: 'string' } }, allowPositionals: true })
const target = resolve(positionals[0] ?? 'envtest-archive')
const base = (values.url ?? pathToFileURL(target).href).replace(/\/$/, '')
/** The Kubernetes version of the served API. */
const version = kubernetesProfile.version.gitVersion.replace(/[+-].*$/, '')
/** The programs are the same on all platforms, but setup-envtest downloads those of one platform. */
const platforms = ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64']
const bundle = 'orch-bundle.tar'

function tar(...words) {
  const { status, stderr } = spawnSync('tar', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar ${words.join(' ')}: ${stderr}`)
}
const sha512 = file => createHash('sha512').update(readFileSync(file)).digest('hex')

/** Everything that orch loads with its store in memory, and the client. */
function writeBundle(folder) {
  const files = ['package.json', 'orch.config.ts']
  const unwanted = ['types', 'commonjs']
  const staged = mkdtempSync(join(tmpdir(), 'orch-bundle-'))
  try {
    for (const name of files) cpSync(join(root, name), join(staged, name))
    cpSync(join(root, 'dist/bundled'), join(staged, 'dist/bundled'), {
      recursive: true,
      filter: path => !unwanted.some(name => path === join(root, 'dist/bundled', name)),
    })
    tar('-cf', join(folder, bundle), '-C', staged, ...files, 'dist')
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

/** Renames a folder unless the target exists, where mv would move the folder into the target. */
const rename =
  'const { existsSync, renameSync } = require("fs"), [, from, to] = process.argv; try { renameSync(from, to) } catch (error) { if (!existsSync(to)) throw error }'

/** A program that unpacks the bundle and has it write its programs, each once, and then executes one of these. */
const script = (name, help, hash) => `#!/bin/sh
# Written by orch, npm run envtest:archive.
set -e
${help === undefined ? '' : helpLines(help)}here=$(dirname "$0")
home="\${HOME:-/tmp}/.cache/orch/envtest/archive-${hash.slice(0, 16)}"
if [ ! -e "$home/assets" ]; then
  mkdir -p "$(dirname "$home")"
  new=$(mktemp -d "$home.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  tar -xf "$here/${bundle}" -C "$new"
  # If another process was faster, its folder is used.
  node -e '${rename}' "$new" "$home"
  node "$home/dist/bundled/kernel/main.js" envtest path > "$home/assets.$$"
  mv "$home/assets.$$" "$home/assets"
  rm -rf "$new"
  trap - EXIT
fi
exec "$(cat "$home/assets")/${name}" "$@"
`
const helpLines = help => `for word do
  case $word in
  --help | -h | -help)
    cat <<'END_OF_HELP'
${help}END_OF_HELP
    exit 0
    ;;
  esac
done
`

const staged = mkdtempSync(join(tmpdir(), 'orch-envtest-'))
try {
  const folder = join(staged, 'controller-tools', 'envtest')
  mkdirSync(folder, { recursive: true })
  mkdirSync(target, { recursive: true })
  writeBundle(folder)
  const hash = sha512(join(folder, bundle))
  const helps = { 'kube-apiserver': referenceHelp(), etcd: etcdHelp, kubectl: undefined }
  for (const [name, help] of Object.entries(helps))
    writeFileSync(join(folder, name), script(name, help, hash), { mode: 0o755 })
  const archive = join(staged, 'archive.tar.gz')
  tar('-czf', archive, '-C', staged, 'controller-tools')
  const sum = sha512(archive)
  const index = ['releases:', `    ${version}:`]
  for (const platform of platforms) {
    const name = `envtest-${version}-${platform}.tar.gz`
    cpSync(archive, join(target, name))
    writeFileSync(join(target, `${name}.sha512`), `${sum}  ${name}\n`)
    index.push(`        ${name}:`, `            hash: ${sum}`, `            selfLink: ${base}/${name}`)
  }
  writeFileSync(join(target, 'envtest-releases.yaml'), `${index.join('\n')}\n`)
  console.log(`${target}: ${version} for ${platforms.join(', ')}`)
} finally {
  rmSync(staged, { recursive: true, force: true })
}

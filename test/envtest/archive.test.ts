import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { temporaryFolder } from '../support/temporary-folder.js'
import { freePort, hasFlag, startProgram } from './programs.js'

const archives = suite('the archives for setup-envtest')
const tool = fileURLToPath(new URL('../../../tools/envtest-archive.mjs', import.meta.url))

interface Index {
  readonly releases: Readonly<Record<string, Readonly<Record<string, { hash: string; selfLink: string }>>>>
}

/** Unpacks as setup-envtest does: all files into one folder; of their mode only the executable bit. */
function unpackFlat(archive: string, folder: string, into: string): void {
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  mkdirSync(into)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.parentPath.includes('controller-tools')) continue
    const [from, to] = [join(entry.parentPath, entry.name), join(into, basename(entry.name))]
    copyFileSync(from, to)
    chmodSync(to, (statSync(from).mode & 0o110) === 0 ? 0o444 : 0o555)
  }
}

archives('have self-contained programs, and an index with their hashes', async () => {
  const folder = temporaryFolder()
  const home = process.env['HOME']
  try {
    const target = join(folder.path, 'served')
    execFileSync(process.execPath, [tool, target, '--url', 'https://mirror.test/envtest/'])
    const { releases } = parse(readFileSync(join(target, 'envtest-releases.yaml'), 'utf8')) as Index
    const [[version = '', files = {}] = []] = Object.entries(releases)
    assert.match(version, /^v1\.\d+\.\d+$/)
    const names = Object.keys(files)
    assert.equal(
      names,
      ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64'].map(at => `envtest-${version}-${at}.tar.gz`),
    )
    for (const [name, { hash, selfLink }] of Object.entries(files)) {
      const found = createHash('sha512')
        .update(readFileSync(join(target, name)))
        .digest('hex')
      assert.is(found, hash)
      assert.is(selfLink, `https://mirror.test/envtest/${name}`)
      assert.is(readFileSync(join(target, `${name}.sha512`), 'utf8'), `${hash}  ${name}\n`)
    }

    const programs = join(folder.path, 'k8s')
    unpackFlat(join(target, names[0] ?? ''), folder.path, programs)
    assert.ok(await hasFlag(join(programs, 'kube-apiserver'), 'secure-port'))
    process.env['HOME'] = join(folder.path, 'home')
    const port = await freePort()
    const argv = [`--secure-port=${port}`, '--authorization-mode=RBAC', `--cert-dir=${folder.path}`]
    const url = `https://127.0.0.1:${port}/healthz`
    const server = await startProgram(join(programs, 'kube-apiserver'), argv, url, folder.path)
    assert.is(await server.end(), 0)
  } finally {
    process.env['HOME'] = home
    folder.remove()
  }
})

archives.run()

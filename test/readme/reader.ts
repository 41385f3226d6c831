import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Every page with code for readers, relative to the top. docs/reference is written by the build. */
export const pages: readonly string[] = [
  'README.md',
  'sdk/README.md',
  'kernel/README.md',
  ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`),
  ...readdirSync(join(root, 'plugins')).map(name => `plugins/${name}/README.md`),
  ...readdirSync(join(root, 'examples')).map(name => `examples/${name}/README.md`),
].filter(path => path.endsWith('.md') && existsSync(join(root, path)))

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** A reader of a page, and the folder in which they follow it. */
export interface Reader {
  /** Where they are: in the clone for README.md, else in a folder of theirs in which the packed orch is installed. */
  readonly path: string
  remove(): void
}

export function aReader(page: string): Reader {
  const folder = temporaryFolder()
  const path = page === 'README.md' ? aClone(folder) : aProject(folder)
  // The examples are next to the files of the reader, as their READMEs assume.
  if (page !== 'README.md' && !page.startsWith('docs/'))
    cpSync(join(path, 'node_modules/orch/examples'), path, { recursive: true })
  return { path, remove: folder.remove }
}

function aClone({ path }: Folder): string {
  const clone = join(path, 'orch')
  mkdirSync(clone)
  const names = ['package.json', 'package-lock.json', 'orch.config.ts', 'dist', 'node_modules', 'plugins', 'examples']
  for (const name of names) symlinkSync(join(root, name), join(clone, name))
  return clone
}

let installed: string | undefined
/**
 * The package as npm installs it in an empty folder: exactly the packed files, and the packages that orch
 * depends on. Shared by all readers, who change nothing there.
 */
function installedModules(): string {
  if (installed !== undefined) return installed
  const folder = temporaryFolder()
  process.on('exit', folder.remove)
  const modules = join(folder.path, 'node_modules')
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
  for (const { path } of packed.files) cpSync(join(root, path), join(modules, 'orch', path))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>
  }
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const own = join(root, path)
    if (dev || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || !existsSync(own)) continue
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    symlinkSync(own, join(folder.path, path))
  }
  installed = modules
  return modules
}

function aProject({ path }: Folder): string {
  const project = join(path, 'project')
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  const found = installedModules()
  for (const name of readdirSync(found)) symlinkSync(join(found, name), join(modules, name))
  for (const [name, program] of [
    ['orch', 'orch/dist/bundled/kernel/main.js'],
    ['orchctl', 'orch/dist/bundled/orchctl/main.js'],
    ['jiti', 'jiti/lib/jiti-cli.mjs'],
  ] as const)
    symlinkSync(join(found, program), join(modules, '.bin', name))
  // Like npx for installed packages, without its overhead of a second. README.md uses the real one.
  writeFileSync(join(modules, '.bin/npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  return project
}

/** npm works without network, without scripts of packages, and without what this machine has configured. */
const quietNpm = {
  npm_config_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}
/** A loaded machine takes its time. */
const patienceMs = 200_000

/** Runs a script as the reader would type it. Rejects with all it printed when a command fails. */
export async function follow(script: string, { path }: Reader): Promise<string> {
  const scratch = temporaryFolder()
  const file = scratch.write('script', script)
  const env = {
    ...process.env,
    ...quietNpm,
    npm_config_cache: join(scratch.path, 'npm'),
    HOME: scratch.path,
    SCRATCH: scratch.path,
    PATH: `${join(path, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
  }
  // Its own process group, so that nothing it started is left behind.
  const shell = spawn('bash', [file], { cwd: path, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  shell.stdout.on('data', text => (printed += text))
  shell.stderr.on('data', text => (printed += text))
  const timer = setTimeout(() => endGroup(shell.pid), patienceMs)
  try {
    const code = await new Promise(resolve => shell.on('exit', resolve))
    if (code !== 0) throw new Error(`a command failed (${code}), after all of these had printed:\n${printed}`)
    return printed
  } finally {
    clearTimeout(timer)
    const servers = join(scratch.path, 'servers')
    const pids = existsSync(servers) ? readFileSync(servers, 'utf8').trim().split('\n').map(Number) : []
    for (const pid of [shell.pid, ...pids]) endGroup(pid)
    scratch.remove()
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

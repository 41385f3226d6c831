import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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

/** Somebody who reads a page, and the folder where they try what it says. */
export interface Reader {
  /** Where they are: in the clone for README.md, else in a folder of theirs in which orch is installed. */
  readonly path: string
  remove(): void
}

export function aReader(page: string): Reader {
  const folder = temporaryFolder()
  const path = page === 'README.md' ? aClone(folder) : aProject(folder)
  // The examples stand beside what the reader writes, as their READMEs have it.
  if (page !== 'README.md' && !page.startsWith('docs/')) cpSync(join(root, 'examples'), path, { recursive: true })
  return { path, remove: folder.remove }
}

function aClone({ path }: Folder): string {
  const clone = join(path, 'orch')
  mkdirSync(clone)
  const names = ['package.json', 'package-lock.json', 'orch.config.ts', 'dist', 'node_modules', 'plugins', 'examples']
  for (const name of names) symlinkSync(join(root, name), join(clone, name))
  return clone
}

function aProject({ path }: Folder): string {
  const project = join(path, 'project')
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(root, join(modules, 'orch'))
  for (const name of ['@types', 'jiti', '@peculiar', 'reflect-metadata'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const [name, program] of [
    ['orch', 'dist/bundled/kernel/main.js'],
    ['orchctl', 'dist/bundled/orchctl/main.js'],
    ['jiti', 'node_modules/jiti/lib/jiti-cli.mjs'],
  ] as const)
    symlinkSync(join(root, program), join(modules, '.bin', name))
  // What npx does where all is installed, without the second that npm takes to find that out. README.md uses the real one.
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

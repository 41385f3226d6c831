import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { monotonicMs } from './process-figures.js'
import { startEtcd } from './start-peer.js'

/** The folder of this build. */
export const ownBuild = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder with the build of a commit; a folder is used unchanged. */
export function buildOf(commit: string): string {
  if (existsSync(join(commit, 'dist/bundled/kernel/main.js'))) return commit
  const run = (command: string, words: string[], cwd: string) => execFileSync(command, words, { cwd, stdio: 'inherit' })
  const sha = execFileSync('git', ['rev-parse', '--short', commit], { cwd: ownBuild, encoding: 'utf8' }).trim()
  // Outside of node_modules: TypeScript names types there by paths that are not portable, and refuses to emit them.
  const folder = join(tmpdir(), 'orch-bench-compare', sha)
  if (existsSync(join(folder, 'dist/bundled/kernel/main.js'))) return folder
  mkdirSync(folder, { recursive: true })
  run('sh', ['-c', `git archive ${sha} | tar -x -C '${folder}'`], ownBuild)
  run('npm', ['ci', '--ignore-scripts'], folder)
  run('npm', ['rebuild'], folder)
  run('npm', ['run', 'build'], folder)
  return folder
}

/** A server that is measured. */
export interface MeasuredServer {
  readonly url: string
  /** The server, and etcd if it has one. */
  readonly pids: readonly number[]
  /** When its process was started. */
  readonly startedAt: number
  stop(): Promise<void>
}

export interface BuildOptions {
  /** The program: an etcd of its own is the store of the server. */
  readonly etcd?: string
  readonly version?: string | undefined
}

/** A server of a build, with the flags of the benchmark of that build. */
export async function startBuild(folder: string, { etcd, version }: BuildOptions = {}): Promise<MeasuredServer> {
  const { flagsOf } = (await import(pathToFileURL(join(folder, 'dist/test/golden/server-flags.js')).href)) as {
    flagsOf(profile: string, version?: string): Promise<string[]>
  }
  const data = temporaryFolder()
  const address = ['--data-dir', data.path, '--secure-port', '0', '--shutdown-linger-duration=0s']
  const program = join(folder, 'dist/bundled/kernel/main.js')
  const store = etcd === undefined ? undefined : await startEtcd(etcd)
  const engine = store ? ['--storage-engine=etcd', `--etcd-servers=${store.url}`] : []
  const words = [program, 'serve', ...address, ...engine, ...(await flagsOf('base', version))]
  const startedAt = monotonicMs()
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const url = await eventually(
    `a server of ${folder}`,
    () => {
      if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}:\n${output}`)
      return /(?:Serving at |"address":")(https?:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
    },
    60_000,
  )
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await store?.stop()
    data.remove()
  }
  return { url, pids: [child.pid ?? 0, ...(store?.pids ?? [])], startedAt, stop }
}

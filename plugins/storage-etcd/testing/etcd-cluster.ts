import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real etcd for tests, in processes of its own with data in a temporary folder. */
export interface EtcdCluster {
  /** Addresses for --etcd-servers. */
  readonly servers: readonly string[]
  /** Ends a member at once, as a failing machine would. */
  kill(member: number): Promise<void>
  /** Restarts a member with its data. Resolves when it listens; it may join the majority later. */
  restart(member: number): Promise<void>
  /** Whether a member has a leader and can serve requests. */
  isHealthy(member: number): Promise<boolean>
  /** Halts a member, which keeps its connections and answers nothing. */
  pause(member: number): void
  resume(member: number): void
  stop(): Promise<void>
}
export interface ClusterOptions {
  readonly members?: number
  /** More arguments of etcd. */
  readonly arguments?: readonly string[]
  readonly tls?: { readonly caPem: string; readonly certificatePem: string; readonly keyPem: string }
}

const environment = { ...process.env, ETCD_UNSUPPORTED_ARCH: arch() === 'arm64' ? 'arm64' : '' }
const startMs = 60_000

export const isEtcdInstalled = (): boolean => spawnSync('etcd', ['--version'], { env: environment }).status === 0

export async function startCluster(options: ClusterOptions = {}): Promise<EtcdCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-'))
  const ports = await freePorts(2 * (options.members ?? 1))
  const scheme = options.tls ? 'https' : 'http'
  const names = Array.from({ length: options.members ?? 1 }, (_, index) => `member-${index}`)
  const clientUrl = (index: number) => `${scheme}://127.0.0.1:${ports[2 * index]}`
  const peerUrl = (index: number) => `http://127.0.0.1:${ports[2 * index + 1]}`
  const words = (index: number): string[] => [
    ...['--name', names[index]!, '--data-dir', join(folder, names[index]!), '--log-level', 'error'],
    ...['--listen-client-urls', clientUrl(index), '--advertise-client-urls', clientUrl(index)],
    ...['--listen-peer-urls', peerUrl(index), '--initial-advertise-peer-urls', peerUrl(index)],
    ...['--initial-cluster', names.map((name, each) => `${name}=${peerUrl(each)}`).join()],
    // On a busy machine members must not take each other for dead; tests write objects of megabytes.
    ...['--heartbeat-interval', '200', '--election-timeout', '2000', '--max-request-bytes', String(10 * 2 ** 20)],
    ...(options.tls ? tlsWords(folder, options.tls) : []),
    ...(options.arguments ?? []),
  ]
  const processes: (ChildProcess | undefined)[] = []
  const start = async (index: number) => {
    const child = spawn('etcd', words(index), { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
    let complaints = ''
    child.stderr?.setEncoding('utf8').on('data', text => (complaints = (complaints + text).slice(-2000)))
    processes[index] = child
    await untilListening(
      ports[2 * index]!,
      () => child.exitCode !== null,
      () => complaints,
    )
  }
  const kill = async (index: number) => {
    const child = processes[index]
    processes[index] = undefined
    if (child === undefined || child.exitCode !== null) return
    const ended = new Promise(resolve => child.on('close', resolve))
    child.kill('SIGKILL')
    await ended
  }
  const stop = async () => {
    await Promise.all(names.map((_, index) => kill(index)))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(names.map((_, index) => start(index)))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    servers: names.map((_, index) => clientUrl(index)),
    kill,
    restart: start,
    isHealthy: async member => {
      const answer = await fetch(`${clientUrl(member)}/health`).catch(() => undefined)
      return answer !== undefined && ((await answer.json()) as { health: string }).health === 'true'
    },
    pause: member => {
      const child = processes[member]
      child?.kill('SIGSTOP')
      if (child?.pid !== undefined) untilHalted(child.pid)
    },
    resume: member => void processes[member]?.kill('SIGCONT'),
    stop,
  }
}

/** A signal takes effect with a delay, and until then the member may still answer. Without /proc there is no wait. */
function untilHalted(pid: number): void {
  const threads = `/proc/${pid}/task`
  const isHalted = (thread: string) => / [Tt] /.test(readFileSync(join(threads, thread, 'stat'), 'utf8').slice(0, 64))
  const waiting = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; existsSync(threads) && tries < 1000; tries++) {
    if (readdirSync(threads).every(isHalted)) return
    Atomics.wait(waiting, 0, 0, 1)
  }
}

function tlsWords(folder: string, tls: NonNullable<ClusterOptions['tls']>): string[] {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return [
    ...['--client-cert-auth', '--trusted-ca-file', file('ca.pem', tls.caPem)],
    ...['--cert-file', file('server.pem', tls.certificatePem), '--key-file', file('server.key', tls.keyPem)],
  ]
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      server =>
        new Promise<number>(resolve =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  )
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

async function untilListening(port: number, hasEnded: () => boolean, complaints: () => string): Promise<void> {
  const { connect } = await import('node:net')
  for (const until = Date.now() + startMs; Date.now() < until; ) {
    if (hasEnded()) throw new Error(`etcd ended: ${complaints()}`)
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
    if (isOpen) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`etcd does not listen: ${complaints()}`)
}

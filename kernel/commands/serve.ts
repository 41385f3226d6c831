import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { type Static, Type } from 'orch/sdk'
import type { ReadyServer } from 'orch/sdk/host'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { compiledRoot, loadReloadably } from '../boot/load-module.js'
import { activatedSocket } from '../http/activated-socket.js'
import { createLogger, type LogOptions, logFormat } from '../observe/log.js'
import { realClock } from '../observe/real-clock.js'
import { writeClientConfig } from '../pki/client-config.js'
import type { Pki } from '../pki/ensure-pki.js'
import type { ServerIdentity } from '../pki/server-identity.js'
import type { Kernel } from '../server/kernel.js'
import { isWorker } from '../workers/worker-process.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command, CommandLine } from './command-line.js'
import { addressForClients, ReadyFile, readyServer, trustedByClients } from './ready-server.js'
import { quoted, servingBanner } from './serving-banner.js'

/** Flags of `orch serve` in addition to the options of the kernel and the plugins. */
const ServeOptions = Type.Object({
  watch: Type.Boolean({
    default: false,
    description:
      'Replace the plugins whose source files are saved next to the config, or restart where that is not possible. For authors.',
  }),
  readyFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File to write when the server is ready: address, port, CA, client config and process, as JSON.',
    }),
  ),
})
type ServeOptions = Static<typeof ServeOptions>
const isWatchFlag = (word: string) => word === '--watch' || word === '--watch=true'

/** `orch serve`: the API and the control loops in one process, or with --workers in several, until a signal. */
export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve [flags]',
  summary: 'Run the server. The first start creates certificates, keys and an admin client config in the data folder.',
  options: { name: 'serve', options: ServeOptions },
  async run(line) {
    if (line.words.some(isWatchFlag)) {
      const { serveWatching } = await import('./serve-watching.js')
      return serveWatching(
        line,
        line.words.filter(word => !isWatchFlag(word)),
      )
    }
    if (line.answerParent) loadReloadably()
    const booted = await bootOrThrow(line, line.words, serveCommand.options)
    return serve(line, booted, async (server, kernel) => {
      if (line.answerParent) {
        const { LiveReload } = await import('./live-reload.js')
        const live = new LiveReload(kernel, booted, line)
        line.answerParent(message => live.reload(message))
      }
      const { vendor, kernelOptions } = booted
      line.out(
        servingBanner({
          vendor: vendor.profile,
          baseUrl: server.address,
          clientConfigPath: server.kubeconfig,
          paths: server.identity.pki.paths,
          tls: kernelOptions.tls,
          ownClient: ownClient(vendor.profile.cli, line.workingDir),
          notices: await server.notices(),
        }),
      )
    })
  },
}

interface StartedServer extends ReadyServer {
  readonly identity: ServerIdentity
  /** Notices of plugins for the user at the terminal. */
  notices(): Promise<readonly string[]>
}

/** Runs a booted server until a signal. */
export async function serve(
  line: CommandLine,
  booted: BootedPlugins,
  whenReady: (server: StartedServer, kernel: Kernel) => void | Promise<void>,
  logTo?: LogOptions['destination'],
): Promise<number> {
  const { kernelOptions: options, vendor } = booted
  const workers = workerCount(options.workers)
  // Registered before the start, so that a signal during it is not lost.
  const stopped = line.untilStopped()
  const format = logFormat(options.logFormat, line)
  // Loaded lazily: other commands do not need these, and a server without workers does not need those for workers.
  if (workers > 1 && isWorker()) {
    const { serveAsWorker } = await import('../workers/worker.js')
    return serveAsWorker(booted, workers, stopped, format)
  }
  const { readyFile: readyPath } = booted.commandOptions as ServeOptions
  const readyFile = readyPath === undefined ? undefined : new ReadyFile(resolve(line.workingDir, readyPath))
  const logger = createLogger({ verbosity: options.v, format, ...(logTo ? { destination: logTo } : {}) })
  const shared = workers > 1 ? (await import('../workers/primary.js')).asPrimary(workers, options, logger) : {}
  const listenFd = activatedSocket(line.environment, process.pid)
  // Before the kernel creates a data folder: a start that cannot succeed leaves nothing behind.
  if (listenFd === undefined) await checkPort(options.bindAddress, options.securePort)
  if (booted.registry.authenticators.length === 0)
    logger.warn(
      'no plugin authenticates requests, so every request is anonymous and is denied: list the plugins authentication and authorization in the config',
    )
  const { Kernel } = await import('../server/kernel.js')
  const kernel = new Kernel(booted, {
    clock: realClock,
    logger,
    program: line.program,
    listenFd,
    ...shared,
  })
  line.onUnhandledRejection(reason => kernel.outlive(reason))
  try {
    const { baseUrl, identity } = await kernel.start()
    const writeConfig = ({ admin }: Pki) =>
      writeClientConfig({
        dataDir: identity.facts.dataDir,
        vendor: vendor.profile,
        server: addressForClients(baseUrl),
        caCertificatePem: options.tls ? trustedByClients(identity) : undefined,
        admin,
      })
    const clientConfigPath = writeConfig(identity.pki)
    kernel.onRenewal(writeConfig)
    const server = readyServer(baseUrl, identity, options.tls, clientConfigPath)
    readyFile?.write(server)
    await whenReady({ ...server, identity, notices: () => kernel.startNotices(server.address) }, kernel)
    const signal = await stopped
    logger.info('stopping', { signal })
    await kernel.stop()
    logger.info('stopped', { signal })
  } finally {
    readyFile?.remove()
    await kernel.stop()
  }
  return 0
}

/** The command for the client of this package, which may not be on the PATH: by npx if the package is installed, or by its path. */
function ownClient(name: string, workingDir: string): string | undefined {
  const program = join(compiledRoot, name, 'main.js')
  const isOwnFolder = resolve(compiledRoot, '../..') === resolve(workingDir)
  if (existsSync(program) && (isOwnFolder || existsSync(join(workingDir, 'node_modules/.bin', name))))
    return `npx ${name}`
  const beside = join(dirname(process.argv[1] ?? ''), name)
  if (existsSync(program) && existsSync(beside)) return quoted(beside)
  if (!existsSync(program)) return undefined
  // The single executable is its own Node and its own client, see tools/single-file.
  return basename(process.execPath).startsWith('node')
    ? `node ${quoted(program)}`
    : `${quoted(process.execPath)} ${name}`
}

/** Throws if the port is in use. */
async function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return
  const { createServer } = await import('node:net')
  await new Promise<void>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
}

/** The number of processes that serve requests. With one there are no worker processes. */
const workerCount = (option: number | 'auto'): number => (option === 'auto' ? availableParallelism() : option)

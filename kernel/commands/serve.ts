import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'orch/sdk'
import { compiledRoot } from '../boot/load-module.js'
import { createLogger, logFormat } from '../observe/log.js'
import { realClock } from '../observe/real-clock.js'
import { writeClientConfig } from '../pki/client-config.js'
import type { ServerIdentity } from '../pki/server-identity.js'
import { workerCount } from '../workers/worker-count.js'
import { isWorker } from '../workers/worker-process.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command } from './command-line.js'
import { quoted, servingBanner } from './serving-banner.js'

/** What `orch serve` can be told beside the options of the kernel and the plugins. */
const ServeOptions = Type.Object({
  watch: Type.Boolean({
    default: false,
    description: 'Start over when a source beside the config is saved: for authors.',
  }),
})
const isWatchFlag = (word: string) => word === '--watch' || word === '--watch=true'

/** `orch serve`: the API and the control loops in one process, or with --workers in several, until a signal. */
export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve [flags]',
  summary: 'Run the server. First start makes certificates, keys and an admin client config in the data folder.',
  options: { name: 'serve', options: ServeOptions },
  async run(line) {
    if (line.words.some(isWatchFlag)) {
      const { serveWatching } = await import('./serve-watching.js')
      return serveWatching(
        line,
        line.words.filter(word => !isWatchFlag(word)),
      )
    }
    const booted = await bootOrThrow(line, line.words, serveCommand.options)
    const { kernelOptions: options, vendor } = booted
    const workers = workerCount(options.workers)
    // Asked for before the start, so that a signal during it is not lost.
    const stopped = line.untilStopped()
    const format = logFormat(options.logFormat, line)
    // Loaded only now: the other commands need nothing of these, nor does a server without workers need theirs.
    if (workers > 1 && isWorker()) {
      const { serveAsWorker } = await import('../workers/worker.js')
      return serveAsWorker(booted, workers, stopped, format)
    }
    const logger = createLogger({ verbosity: options.v, format })
    const shared = workers > 1 ? (await import('../workers/primary.js')).asPrimary(workers, options, logger) : {}
    const { Kernel } = await import('../server/kernel.js')
    const kernel = new Kernel(booted, { clock: realClock, logger, ...shared })
    line.onUnhandledRejection(reason => kernel.outlive(reason))
    try {
      const { baseUrl, identity } = await kernel.start()
      const server = addressForClients(baseUrl)
      const clientConfigPath = writeClientConfig({
        dataDir: identity.facts.dataDir,
        vendor: vendor.profile,
        server,
        caCertificatePem: options.tls ? trustedByClients(identity) : undefined,
        admin: identity.pki.admin,
      })
      const { paths } = identity.pki
      line.out(
        servingBanner({
          vendor: vendor.profile,
          baseUrl: server,
          clientConfigPath,
          paths,
          tls: options.tls,
          ownClient: ownClient(vendor.profile.cli),
        }),
      )
      const signal = await stopped
      logger.info('stopping', { signal })
      await kernel.stop()
      logger.info('stopped', { signal })
    } finally {
      await kernel.stop()
    }
    return 0
  },
}

/** The client of this package may not be on the PATH, but it is always beside us. */
function ownClient(name: string): string | undefined {
  const program = join(compiledRoot, name, 'main.js')
  return existsSync(program) ? `node ${quoted(program)}` : undefined
}

/** Nobody can connect to a wildcard address; a client on this machine uses loopback. */
const addressForClients = (baseUrl: string): string =>
  baseUrl.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:')

/** An operator's own serving certificate was signed by somebody else: then the client trusts what is in its file too. */
const trustedByClients = ({ serving, pki }: ServerIdentity): string =>
  serving === pki.serving ? pki.authority.certificatePem : `${serving.certificatePem}\n${pki.authority.certificatePem}`

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compiledRoot } from '../boot/load-module.js'
import { createLogger } from '../observe/log.js'
import { realClock } from '../observe/real-clock.js'
import { writeClientConfig } from '../pki/client-config.js'
import type { ServerIdentity } from '../pki/server-identity.js'
import { workerCount } from '../workers/worker-count.js'
import { isWorker } from '../workers/worker-process.js'
import { bootOrThrow } from './boot-from-words.js'
import type { Command } from './command-line.js'
import { quoted, servingBanner } from './serving-banner.js'

/** `orch serve`: the API and the control loops in one process, or with --workers in several, until a signal. */
export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve [flags]',
  summary: 'Run the server. First start makes certificates, keys and an admin client config in the data folder.',
  async run(line) {
    const booted = await bootOrThrow(line)
    const { kernelOptions: options, vendor } = booted
    const workers = workerCount(options.workers)
    // Asked for before the start, so that a signal during it is not lost.
    const stopped = line.untilStopped()
    // Loaded only now: the other commands need nothing of these, nor does a server without workers need theirs.
    if (workers > 1 && isWorker()) {
      const { serveAsWorker } = await import('../workers/worker.js')
      return serveAsWorker(booted, workers, stopped)
    }
    const logger = createLogger({ verbosity: options.v })
    const shared = workers > 1 ? (await import('../workers/primary.js')).asPrimary(workers, options, logger) : {}
    const { Kernel } = await import('../kernel.js')
    const kernel = new Kernel(booted, { clock: realClock, logger, ...shared })
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
      await stopped
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

import { vendorProfiles } from 'orch/sdk'
import { ControllersOptions, controllersName } from '../loops/controllers-options.js'
import type { ControllersFacts } from '../loops/open-controllers.js'
import { createLogger, logFormat } from '../observe/log.js'
import { realClock } from '../observe/real-clock.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command } from './command-line.js'

const dayMs = 24 * 3_600_000

/** `orch controllers`: the control loops of all plugins in a separate process, until a signal. */
export const controllersCommand: Command = {
  name: 'controllers',
  usage: 'controllers [flags]',
  summary:
    'Run the control loops in a separate process, with a server that runs with --controllers=-*. Opens a port for health and metrics only with --secure-port.',
  options: { name: controllersName, options: ControllersOptions },
  async run(line) {
    const booted = await bootOrThrow(line, line.words.map(asClientConfig), controllersCommand.options)
    // Loaded lazily: other commands do not need it.
    const { openControllers } = await import('../loops/open-controllers.js')
    const { v, logFormat: asked } = booted.kernelOptions
    const logger = createLogger({ verbosity: v, format: logFormat(asked, line) })
    const { workingDir, environment } = line
    const controllers = await openControllers({ booted, clock: realClock, logger, workingDir, environment })
    line.onUnhandledRejection(reason => controllers.outlive(reason))
    line.out(controllersBanner(controllers.facts))
    // Nothing else keeps the process alive while it waits for the server or for the lease.
    const alive = setInterval(() => {}, dayMs)
    try {
      const stopped = line.untilStopped()
      // The server may be down for long: a signal ends the wait for it, and only a failure to start ends the process.
      const signal = await Promise.race([stopped, controllers.start().then(() => stopped)])
      await controllers.stop()
      logger.info('stopped', { signal })
    } finally {
      await controllers.stop()
      clearInterval(alive)
    }
    return 0
  },
}

/** Vendors name this flag after their environment variable for the client config. */
const flagsOfVendors = Object.values(vendorProfiles).map(({ env }) => `--${env.clientConfig.toLowerCase()}`)
function asClientConfig(word: string): string {
  const known = flagsOfVendors.find(flag => word === flag || word.startsWith(`${flag}=`))
  return known === undefined ? word : `--client-config${word.slice(known.length)}`
}

/** The message after the start: the loops, their server, and whether other processes may run them, too. */
function controllersBanner(facts: ControllersFacts): string {
  const { server, contextName, loops, serverOnly, lease, identity, keysFrom, statusUrl } = facts
  const count = loops.length === 1 ? '1 control loop' : `${loops.length} control loops`
  return [
    `Running ${count} for ${server} (context ${contextName})`,
    `Loops: ${loops.join(', ') || 'none, see --controllers'}`,
    ...[...serverOnly].map(
      ([name, service]) =>
        `Left out: ${name} needs "${service}", which only a server has: orch serve --controllers=${name}`,
    ),
    'Not here: loops of plugins that are added to a running server; they run in servers, where --controllers has them on',
    `Leader election: ${lease === undefined ? 'off, so run this process only once' : `by lease ${lease}, as ${identity}`}`,
    `Keys: ${keysFrom === undefined ? 'those that flags name' : `those of ${keysFrom}, unless flags name others`}`,
    `Health and metrics: ${statusUrl ?? 'off, see --secure-port'}`,
    '',
  ].join('\n')
}

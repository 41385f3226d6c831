import { resolve } from 'node:path'
import type { Clock, Logger, ServerFacts } from 'orch/sdk'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { isControllerOn } from '../boot/start-plugins.js'
import { BootError, problem } from '../contracts/boot-errors.js'
import { kernelName } from '../options/kernel-options.js'
import { findKeys } from '../pki/load-server-keys.js'
import type { ControllersOptions } from './controllers-options.js'
import { ControllersProcess } from './controllers-process.js'
import { electionSettings } from './election-settings.js'
import { openStatus } from './open-status.js'
import { connectToServer, type ServerConnection } from './server-connection.js'
import { serverOnlyLoops } from './server-only.js'

export interface OpenRequest {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly workingDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Facts about loops in a separate process, for the user. */
export interface ControllersFacts {
  readonly server: string
  readonly contextName: string
  /** Loops that run, in the order they start. */
  readonly loops: readonly string[]
  /** Loops that only a server can run, with the service that each needs. */
  readonly serverOnly: ReadonlyMap<string, string>
  /** `namespace/name` of the lease; undefined without an election. */
  readonly lease: string | undefined
  readonly identity: string | undefined
  /** Where keys of the server were found. */
  readonly keysFrom: string | undefined
  /** Address of health and metrics. */
  readonly statusUrl: string | undefined
}
export interface OpenControllers {
  readonly facts: ControllersFacts
  /** Waits for the server without a timeout. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Continues after an unhandled rejection. */
  outlive(rejection: unknown): void
}

/** A server that does not respond within this time counts as unhealthy. */
const responseTimeoutMs = 5_000

/** Control loops for the server of a client config, ready to start. Only the port for health and metrics is open yet. */
export async function openControllers(request: OpenRequest): Promise<OpenControllers> {
  const { booted, clock, logger, environment } = request
  const { kernelOptions: options, vendor, registry } = booted
  const serverOnly = serverOnlyLoops(registry)
  refuseNamed(options.controllers, serverOnly)
  const controllers = [...options.controllers, ...[...serverOnly.keys()].map(name => `-${name}`)]
  const { clientConfig, context } = booted.commandOptions as ControllersOptions
  const path = clientConfig === undefined ? undefined : resolve(request.workingDir, clientConfig)
  const connection = await connectToServer({ vendor, clock, logger, environment, clientConfig: path, context })
  const dataDir = resolve(request.workingDir, options.dataDir)
  const keys = findKeys(dataDir, connection.caPem)
  const facts: ServerFacts = { ...noKeys(connection), ...keys, dataDir, baseUrl: () => connection.server }
  const election = (options.leaderElect ?? true) ? electionSettings(options, vendor) : undefined
  const askServer = () => {
    const signal = AbortSignal.timeout(responseTimeoutMs)
    return connection.impatientClient.request({ method: 'GET', path: '/version', headers: {}, signal })
  }
  const { metrics, ...status } = await openStatus({
    booted,
    facts,
    now: clock.now(),
    askServer,
    as: connection.as,
  })
  const running = new ControllersProcess({ ...request, controllers, metrics, connection, facts, election })
  return {
    facts: {
      server: connection.server,
      contextName: connection.contextName,
      loops: registry.controllers
        .map(({ definition }) => definition)
        .filter(({ name, enabledByDefault = true }) => isControllerOn(name, enabledByDefault, controllers))
        .map(({ name }) => name),
      serverOnly,
      lease: election && `${election.namespace}/${election.leaseName}`,
      identity: election?.identity,
      keysFrom: keys && resolve(dataDir, 'pki'),
      statusUrl: status.url,
    },
    start: () => running.start(),
    outlive: rejection => running.outlive(rejection),
    async stop() {
      await running.stop()
      await status.close()
    },
  }
}

/** The facts about the server that follow from a client config. */
const noKeys = ({ caPem }: ServerConnection) => ({
  caCertificatePem: caPem,
  caKeyPem: undefined,
  servingKeyPem: undefined,
  serviceAccountKeyPem: undefined,
  frontProxy: undefined,
})

function refuseNamed(controllers: readonly string[], serverOnly: ReadonlyMap<string, string>): void {
  const problems = [...serverOnly]
    .filter(([name]) => controllers.includes(name))
    .map(([name, service]) => {
      const why = `"${name}" runs in a server only, because it needs the service "${service}"`
      return problem('ORCH_OPTION_INVALID', { plugin: kernelName, path: 'controllers', why })
    })
  if (problems.length > 0) throw new BootError(problems)
}

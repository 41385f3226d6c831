import { get } from 'node:https'
import { parseDuration } from 'orch/sdk'
import type { ServiceAddresses } from 'orch/sdk/admission'
import type { Endpoints, Service } from 'orch/sdk/core'
import { mastersGroup } from 'orch/sdk/identity'
import type { APIService } from '../api-services/schema.js'
import type { AggregationNames } from '../names.js'
import type { ProxyCredentials } from '../proxying/proxy-credentials.js'
import { identityOf } from '../proxying/proxy-headers.js'
import type { AggregationOptions } from '../services.js'

const attempts = 3
const timeoutMs = 5000

/** Checks whether an extension server serves its version. */
export class Probe {
  readonly #addresses: ServiceAddresses
  readonly #names: AggregationNames
  readonly #credentials: ProxyCredentials
  readonly #timeoutMs: number
  readonly #closing = new AbortController()

  constructor(
    addresses: ServiceAddresses,
    names: AggregationNames,
    options: AggregationOptions,
    credentials: ProxyCredentials,
  ) {
    this.#addresses = addresses
    this.#names = names
    this.#credentials = credentials
    this.#timeoutMs = Math.min(timeoutMs, parseDuration(options.extensionServerConnectTimeout))
  }

  /** Aborts pending probes: an extension server that does not answer must not delay shutdown. */
  close(): void {
    this.#closing.abort(new Error('this server is shutting down'))
  }

  async run({ spec }: APIService): Promise<Finding> {
    const { group, version, service } = spec
    const { namespace = '', name = '', port = 443 } = service ?? {}
    const path = `/apis/${group}/${version}`
    let problem = ''
    for (let attempt = 0; attempt < attempts && !this.#closing.signal.aborted; attempt++) {
      try {
        const address = await this.#addresses.resolve({ namespace, name, port })
        const status = await this.#status(address, `${name}.${namespace}.svc`, path)
        if (status >= 200 && status < 300) return { isAvailable: true, reason: 'Passed', message: 'all checks passed' }
        problem = `bad status from ${path}: ${status}`
      } catch (error) {
        problem = (error as Error).message
      }
    }
    const message = `failing or missing response from https://${name}.${namespace}.svc:${port}${path}: ${problem}`
    return { isAvailable: false, reason: 'FailedDiscoveryCheck', message }
  }

  /** As in Kubernetes, the certificate is not verified here; proxied requests verify it and fail with a clear error. */
  #status({ host, port }: { host: string; port: number }, serverName: string, path: string): Promise<number> {
    const identity = identityOf({ name: this.#names.user, groups: [mastersGroup] }, false)
    return new Promise((resolve, reject) => {
      const request = get({
        host,
        port,
        path,
        servername: serverName,
        rejectUnauthorized: false,
        agent: false,
        signal: this.#closing.signal,
        ...this.#credentials.current(),
        headers: { host: serverName, accept: 'application/json', 'user-agent': this.#names.userAgent, ...identity },
      })
      const late = setTimeout(() => request.destroy(new Error('no answer in time')), this.#timeoutMs)
      request.once('close', () => {
        clearTimeout(late)
        // Node closes without an error when the server switches to another protocol. Whatever came before counts.
        reject(new Error('the connection was closed without an answer'))
      })
      request.once('error', reject)
      request.once('response', response => {
        resolve(response.statusCode ?? 0)
        request.destroy()
      })
    })
  }
}

export interface Finding {
  readonly isAvailable: boolean
  readonly reason: string
  readonly message: string
}

/** Checks the Service and its endpoints. Undefined if nothing is missing, so that the server has to be probed. */
export function findMissing(
  { spec }: APIService,
  service: Service | undefined,
  endpoints: Endpoints | undefined,
): Finding | undefined {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {}
  const missing = (reason: string, message: string) => ({ isAvailable: false, reason, message })
  const it = `service/${name} in ${JSON.stringify(namespace)}`
  if (!service) return missing('ServiceNotFound', `${it} is not present`)
  const { type = 'ClusterIP', ports = [] } = service.spec ?? {}
  // A Service of type ExternalName has neither ports nor endpoints.
  if (type === 'ExternalName') return undefined
  const servicePort = ports.find(each => each.port === port)
  if (!servicePort) return missing('ServicePortError', `${it} is not listening on port ${port}`)
  if (!endpoints) return missing('EndpointsNotFound', `cannot find endpoints for ${it}`)
  const portName = servicePort.name ?? ''
  const isReady = (endpoints.subsets ?? []).some(
    ({ addresses = [], ports: known = [] }) =>
      addresses.length > 0 && known.some(each => (each.name ?? '') === portName),
  )
  if (isReady) return undefined
  return missing('MissingEndpoints', `endpoints for ${it} have no addresses with port name ${JSON.stringify(portName)}`)
}

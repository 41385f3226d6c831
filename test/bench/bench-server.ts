import { spaceNames } from './cluster-load.js'
import { collectionPath } from './config-map-load.js'
import type { Target } from './connection.js'
import type { LoadClient } from './load-client.js'

/** Payload of a ConfigMap of "1 KiB". */
export const kibPayload = 1000
const fillClients = 32
const run = Date.now().toString(36)

/** Prepares and verifies the objects that scenarios use on one server. */
export class BenchServer {
  readonly target: Target
  readonly client: LoadClient
  #hasNodes = false

  constructor(target: Target, client: LoadClient) {
    this.target = target
    this.client = client
  }

  /** A namespace of this run; it is created if it is missing. */
  async namespace(what: string): Promise<string> {
    const name = `bench-${run}-${what}`
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const { status } = await this.#call('POST', '/api/v1/namespaces', body)
    if (status !== 201 && status !== 409) throw new Error(`create namespace: ${status}`)
    return name
  }

  /** A namespace with ConfigMaps number `first` to `objects` in it. */
  async fill(what: string, objects: number, { size = kibPayload, first = 0 } = {}): Promise<string> {
    const namespace = await this.namespace(what)
    const { latencies } = await this.client.do('load', {
      target: this.target,
      operation: 'create',
      namespace,
      clients: fillClients,
      count: objects - first,
      objects,
      first,
      size,
      salt: 0,
    })
    if (latencies.length !== objects - first) throw new Error(`fill: ${latencies.length} of ${objects - first}`)
    return namespace
  }

  /** Leases of nodes and Pods, once. */
  async fillNodes(objects: number): Promise<void> {
    if (this.#hasNodes) return
    for (const name of spaceNames) {
      await this.#call('POST', '/api/v1/namespaces', { metadata: { name } })
      // Pods are refused without it, and not every server has the loop that creates it.
      await this.#call('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } })
    }
    const shape = { namespace: '', clients: fillClients, count: objects, objects, first: 0, size: 0, salt: 0 }
    for (const operation of ['createLease', 'createPod'] as const)
      await this.client.do('load', { target: this.target, operation, ...shape })
    this.#hasNodes = true
  }

  async empty(namespace: string): Promise<number> {
    const { status, ms } = await this.#call('DELETE', collectionPath(namespace))
    if (status !== 200) throw new Error(`delete collection: ${status}`)
    return ms
  }

  /** Checks the number of distinct objects; returns the version of the list. */
  async verify(namespace: string, expected: number): Promise<string> {
    const { status, json } = await this.#call('GET', collectionPath(namespace))
    const items: { metadata: { name: string } }[] = json?.items ?? []
    const distinct = new Set(items.map(item => item.metadata.name)).size
    if (status !== 200 || items.length !== expected || distinct !== expected)
      throw new Error(
        `list of ${namespace}: ${status}, expected ${expected}, got ${items.length} (${distinct} distinct)`,
      )
    return json.metadata.resourceVersion
  }

  #call(method: string, path: string, body?: unknown) {
    return this.client.do('call', { target: this.target, method, path, body })
  }
}

import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A server of the three metrics APIs, like the adapter of a monitoring system. */
export class MetricsExtension {
  readonly server: Server
  /** Items by path below `/apis/`; others are 404. */
  readonly items = new Map<string, readonly unknown[]>()
  readonly queries = new Map<string, URLSearchParams>()

  constructor(keys: { certificatePem: string; keyPem: string }) {
    this.server = createServer({ cert: keys.certificatePem, key: keys.keyPem }, (request, response) => {
      const url = new URL(request.url ?? '', 'https://metrics')
      const path = decodeURIComponent(url.pathname.slice('/apis/'.length))
      const [group, version, ...rest] = path.split('/')
      const items = this.items.get(path)
      const answer = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (rest.length === 0)
        return answer(200, { kind: 'APIResourceList', groupVersion: `${group}/${version}`, resources: [] })
      this.queries.set(path, url.searchParams)
      if (items) return answer(200, { apiVersion: `${group}/${version}`, items })
      const message = `the server could not find the metric ${rest.at(-1)}`
      return answer(404, { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message })
    })
  }
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return (this.server.address() as AddressInfo).port
  }
  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export const group = 'fruit.example.com'
export const base = `/apis/${group}/v1`

/** An extension server with the name `fruit.farm.svc`. */
export class Extension {
  readonly server: Server
  readonly seen: { method: string; url: string; headers: IncomingMessage['headers']; peer: string; body: string }[] = []
  readonly watchers = new Set<IncomingMessage>()
  readonly floods = new Set<IncomingMessage>()
  /** Names of the fruits in each namespace. */
  readonly baskets = new Map<string, string[]>()
  sentBytes = 0

  constructor(keys: { certificatePem: string; keyPem: string }, clientCaPem: string) {
    const options = { cert: keys.certificatePem, key: keys.keyPem, ca: clientCaPem, requestCert: true }
    this.server = createServer({ ...options, rejectUnauthorized: false }, async (request, response) => {
      const { method = '', url = '', headers } = request
      const certificate = (request.socket as TLSSocket).getPeerCertificate()
      const peer = (request.socket as TLSSocket).authorized ? String(certificate.subject?.CN) : ''
      let body = ''
      for await (const chunk of request) body += chunk
      // Discovery requests may arrive at any time, so they are not recorded.
      if (!headers['user-agent']?.includes('aggregator') && url !== base)
        this.seen.push({ method, url, headers, peer, body })
      const json = (value: unknown, status = 200) =>
        response.writeHead(status, { 'content-type': 'application/json', 'x-own': 'kept' }).end(JSON.stringify(value))
      const [, namespace] = /\/namespaces\/([^/]+)\/fruits(?:\?|$)/.exec(url) ?? []
      if (url === base) json({ kind: 'APIResourceList', groupVersion: `${group}/v1`, resources: [fruits] })
      else if (namespace !== undefined) {
        if (method === 'DELETE') this.baskets.delete(namespace)
        const items = (this.baskets.get(namespace) ?? []).map(name => ({ metadata: { name, namespace } }))
        json({ kind: 'FruitList', apiVersion: `${group}/v1`, metadata: { resourceVersion: '1' }, items })
      } else if (url === '/openapi/v2') json(openApi)
      else if (url.includes('watch=true')) {
        this.watchers.add(request)
        response.on('close', () => this.watchers.delete(request))
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(`${JSON.stringify({ type: 'ADDED' })}\n`)
      } else if (url.endsWith('/flood')) {
        response.writeHead(200, { 'content-type': 'application/octet-stream' })
        const chunk = Buffer.alloc(64 * 1024)
        this.floods.add(request)
        response.on('close', () => this.floods.delete(request))
        const more = () => {
          while (!response.destroyed) {
            this.sentBytes += chunk.length
            if (!response.write(chunk)) return void response.once('drain', more)
          }
        }
        more()
      } else if (url.endsWith('/slow')) return
      else json({ kind: 'Fruit', url, body }, method === 'POST' ? 201 : 200)
    })
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.seen.push({ method: 'UPGRADE', url: request.url ?? '', headers: request.headers, peer: '', body: '' })
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Own: kept\r\n\r\nhello ',
      )
      if (head.length > 0) socket.write(head)
      socket.pipe(socket)
      socket.on('error', () => {})
    })
  }
  get port(): number {
    return (this.server.address() as AddressInfo).port
  }
}
const fruits = {
  name: 'fruits',
  singularName: 'fruit',
  kind: 'Fruit',
  namespaced: true,
  verbs: ['get', 'list', 'delete', 'deletecollection'],
}
const openApi = {
  swagger: '2.0',
  paths: {
    [`${base}/fruits`]: { get: { responses: { 200: { schema: { $ref: '#/definitions/com.example.Fruit' } } } } },
    '/apis/other/v1': { get: {} },
  },
  definitions: { 'com.example.Fruit': { type: 'object' }, 'com.example.Unused': { type: 'object' } },
}

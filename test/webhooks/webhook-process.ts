import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Behaviour, Order, Reply, SeenCall, WebhookKeys } from './behaviour.js'

/** A webhook in a separate process, controlled by a test. */
const behaviours = new Map<string, Behaviour[]>()
const calls = new Map<string, SeenCall[]>()
const connections = new WeakMap<object, number>()
let connectionCount = 0
const held: (() => void)[] = []

const allow: Behaviour = { is: 'answer', response: { allowed: true } }

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const review = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const socket = request.socket as TLSSocket
  const seen = calls.get(path) ?? []
  calls.set(path, seen)
  seen.push({
    path,
    query,
    headers: request.headers,
    clientName: String(socket.getPeerCertificate().subject?.CN ?? ''),
    connection: connections.get(socket) ?? 0,
    isSessionReused: socket.isSessionReused(),
    review,
  })
  const script = behaviours.get(path) ?? []
  // The last behaviour stays.
  const behaviour = (script.length > 1 ? script.shift() : script[0]) ?? allow
  await perform(behaviour, response, review)
}

async function perform(
  behaviour: Behaviour,
  response: ServerResponse,
  review: { apiVersion: string; request: { uid: string } },
): Promise<void> {
  const json = { 'content-type': 'application/json' }
  switch (behaviour.is) {
    case 'answer': {
      const { afterMs = 0, apiVersion = review.apiVersion } = behaviour
      if (afterMs > 0) await new Promise(resolve => setTimeout(resolve, afterMs))
      const answer = { uid: review.request.uid, ...behaviour.response }
      response.writeHead(200, json).end(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: answer }))
      return
    }
    case 'raw':
      response.writeHead(behaviour.status ?? 200, behaviour.headers ?? json).end(behaviour.body)
      return
    case 'hang':
      return
    case 'hold':
      await new Promise<void>(resolve => held.push(resolve))
      return perform(allow, response, review)
    case 'reset':
      response.socket?.destroy()
      return
    case 'drip': {
      response.writeHead(200, json).write('{')
      const timer = setInterval(() => response.write(' '), behaviour.everyMs)
      response.on('close', () => clearInterval(timer))
      return
    }
    case 'flood': {
      response.writeHead(200, json)
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) {}
        if (!response.destroyed) response.once('drain', pour)
      }
      pour()
    }
  }
}

function start({ certificatePem, keyPem, clientCaPem }: WebhookKeys): Promise<number> {
  const trust = clientCaPem === undefined ? {} : { ca: clientCaPem, requestCert: true, rejectUnauthorized: false }
  const server = createServer({ cert: certificatePem, key: keyPem, ...trust }, (request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.on('secureConnection', socket => connections.set(socket, ++connectionCount))
  return new Promise(resolve => server.listen(0, '0.0.0.0', () => resolve((server.address() as AddressInfo).port)))
}

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === 'start') return start(order.keys)
  if (order.do === 'behave') {
    behaviours.set(order.path, [...order.behaviours])
    for (const release of held.splice(0)) release()
    calls.delete(order.path)
    return undefined
  }
  const taken = calls.get(order.path) ?? []
  calls.delete(order.path)
  return taken
}

process.on('message', (order: Order) => {
  void carryOut(order).then(value => process.send?.({ id: order.id, value } satisfies Reply))
})
// The test is gone.
process.on('disconnect', () => process.exit(0))

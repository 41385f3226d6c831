import { type Agent, request } from 'node:https'
import type { TLSSocket } from 'node:tls'

/** Where and how to reach one server. */
export interface Endpoint {
  readonly name: string
  readonly port: number
  readonly ca: string
  readonly token: string
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly contentType?: string
  readonly body?: unknown
}

/** The result: a complete response, `unsent` if no part of the request was sent, or `lost` if the outcome is unknown. */
export type Answer =
  | { readonly is: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly is: 'unsent' }
  | { readonly is: 'lost' }

/** Longer than the pauses of a server, so that most requests to a paused one are answered late instead of lost. */
const answerWithinMs = 5000

/** Sends a request without retries, so that the outcome is exactly what is returned. */
export function sendRequest(
  endpoint: Endpoint,
  agent: Agent,
  { method, path, contentType, body }: Request,
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${endpoint.token}`,
    ...(text === undefined
      ? {}
      : { 'content-type': contentType ?? 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  return new Promise((resolve, reject) => {
    const { port, ca } = endpoint
    const sending = request({ host: '127.0.0.1', port, ca, agent, method, path, headers })
    let mayHaveLeft = false
    const finish = (answer: Answer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    const giveUp = () => {
      finish({ is: mayHaveLeft ? 'lost' : 'unsent' })
      sending.destroy()
    }
    const timer = setTimeout(giveUp, answerWithinMs)
    sending.on('socket', socket => {
      // No part of a request is sent before the handshake is complete.
      if (sending.reusedSocket || !(socket as TLSSocket).connecting) mayHaveLeft = true
      else socket.once('secureConnect', () => (mayHaveLeft = true))
    })
    sending.on('error', giveUp)
    sending.on('response', response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', giveUp)
      response.on('close', () => {
        if (!response.complete) return giveUp()
        const status = response.statusCode ?? 0
        const answer = Buffer.concat(chunks).toString()
        try {
          const isText = response.headers['content-type']?.startsWith('text/plain')
          finish({ is: 'answered', status, body: isText ? answer : JSON.parse(answer) })
        } catch (error) {
          reject(new Error(`${method} ${path} was answered ${status} with ${answer.slice(0, 500)}`, { cause: error }))
        }
      })
    })
    sending.end(text)
  })
}

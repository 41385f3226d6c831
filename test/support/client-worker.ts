import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { parentPort } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest } from './client-thread.js'

/** What the thread of a client runs: requests, one connection each. */
parentPort?.on('message', ({ id, url, method, headers, body }: ThreadRequest) => {
  const answer = (result: Omit<ThreadAnswer, 'id'>) => parentPort?.postMessage({ id, ...result } satisfies ThreadAnswer)
  const request = url.startsWith('https:') ? requestSecure : requestPlain
  const sent = request(url, { method, headers, rejectUnauthorized: false, agent: false }, received => {
    const parts: Buffer[] = []
    received.on('data', (part: Buffer) => parts.push(part))
    received.on('error', error => answer({ status: 0, text: String(error) }))
    received.on('end', () => answer({ status: received.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
  })
  sent.on('error', error => answer({ status: 0, text: String(error) }))
  sent.end(body)
})

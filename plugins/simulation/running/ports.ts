import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { copy, write } from '../processes/command.js'
import type { PortRule } from './behavior.js'
import { fillIn } from './container-facts.js'

/** The limit of a request head; the rest of a request is not read. */
const maxHeadBytes = 64 * 1024

/** Serves a connection to a port of a simulated Pod. */
export async function answerPort(
  port: number,
  connection: Duplex,
  rules: readonly PortRule[] = [],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const rule = rules.find(one => one.port === undefined || one.port === port) ?? { answer: 'http' }
  if (rule.answer === 'refuse')
    throw new Error(`connection refused: nothing listens on port ${port} of the simulated Pod`)
  if (rule.answer === 'echo') await copy(connection, connection)
  else await answerHttp(connection, rule, { ...values, port: String(port) })
  if (!connection.writableEnded && !connection.destroyed) {
    connection.end()
    await once(connection, 'finish').catch(() => {})
  }
}

/** Sends the same response to any request, then closes the connection. */
async function answerHttp(
  connection: Duplex,
  { status = 200, body = 'simulated Pod {namespace}/{pod}, port {port}\n' }: Partial<PortRule>,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const iterator = connection.iterator({ destroyOnReturn: false })
  let head = ''
  for await (const chunk of iterator) {
    head += (chunk as Buffer).toString('latin1')
    if (head.includes('\r\n\r\n') || head.length > maxHeadBytes) break
  }
  if (head === '') return
  const text = Buffer.from(fillIn(body, values))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${text.length}`,
    'Connection: close',
    'X-Simulated: true',
  ]
  await write(
    connection,
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), head.startsWith('HEAD ') ? Buffer.alloc(0) : text]),
  )
}

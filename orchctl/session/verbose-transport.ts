import type { ClosableTransport, TransportRequest } from 'orch/sdk/client'

/** The levels from which requests, headers and bodies are shown. */
const levels = { requests: 6, headers: 7, bodies: 8, wholeBodies: 10 }
const shownBody = 1024
const secretHeaders = /^(authorization|impersonate-|cookie)/i

/** Logs every request to standard error, in the detail of the level of `-v`. */
export function verboseTransport(
  transport: ClosableTransport,
  server: string,
  level: number,
  log: (line: string) => void,
): ClosableTransport {
  const cut = (text: string) =>
    level >= levels.wholeBodies || text.length <= shownBody
      ? text
      : `${text.slice(0, shownBody)} [cut; -v=10 shows all]`
  const send = async (request: TransportRequest) => {
    const started = performance.now()
    if (level >= levels.headers)
      for (const [name, value] of Object.entries(request.headers))
        log(`> ${name}: ${secretHeaders.test(name) ? '<hidden>' : value}`)
    if (level >= levels.bodies && request.body !== undefined) log(`> ${cut(String(request.body))}`)
    const answer = await transport(request)
    const tookMs = Math.round(performance.now() - started)
    log(`${request.method} ${server}${request.path} ${answer.status} in ${tookMs} ms`)
    if (level >= levels.headers)
      for (const [name, value] of Object.entries(answer.headers)) log(`< ${name}: ${String(value)}`)
    return level >= levels.bodies ? { ...answer, body: logged(answer.body, text => log(`< ${cut(text)}`)) } : answer
  }
  return Object.assign(send, { close: () => transport.close() })
}

async function* logged(body: AsyncIterable<Buffer>, log: (text: string) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    log(chunk.toString('utf8').trimEnd())
    yield chunk
  }
}

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { type Finding, fine, wrong } from '../finding.js'

/** How long whoever has the port may take to show its certificate. */
const answerMs = 3000
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop what listens there, or choose another port: --secure-port',
  EACCES: 'Choose a port above 1023, or allow it: setcap cap_net_bind_service=+ep $(command -v node)',
  EADDRNOTAVAIL: 'Name an address of this machine: --bind-address',
}

/** What is known of a server that may run already. */
export interface KnownServer {
  /** It serves from the same data folder. */
  readonly pid: number | undefined
  /** The file of its certificate. A store that is elsewhere does not tell who uses it. */
  readonly certificateFile: string | undefined
}

/** Can a server listen there? */
export async function checkPort(host: string, port: number, known: KnownServer): Promise<Finding> {
  const place = `port ${port} of ${host}`
  const error = await listenError(host, port)
  if (error === undefined) return fine(`${place} is free`)
  const { code = '', message } = error
  if (code === 'EADDRINUSE' && known.pid !== undefined)
    return fine(`${place} is taken, most likely by the server that runs (process ${known.pid})`)
  if (code === 'EADDRINUSE' && (await shows(host, port, known.certificateFile)))
    return fine(`${place} is taken by a server that shows ${known.certificateFile}`)
  return wrong(
    code === 'EADDRINUSE' ? `${place} is taken by another process` : `${place} cannot be used: ${message}`,
    remedies[code] ?? 'Choose another address: --bind-address, --secure-port',
  )
}

const listenError = (host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Does whoever listens there show the first certificate of this file? */
function shows(host: string, port: number, file: string | undefined): Promise<boolean> {
  return new Promise(resolve => {
    if (file === undefined) return resolve(false)
    const address = host === '0.0.0.0' || host === '::' ? 'localhost' : host
    const socket = connect({ host: address, port, rejectUnauthorized: false, timeout: answerMs }, () => {
      try {
        const own = new X509Certificate(readFileSync(file))
        resolve(socket.getPeerX509Certificate()?.fingerprint256 === own.fingerprint256)
      } catch {
        // That it cannot be read is told elsewhere.
        resolve(false)
      }
      socket.destroy()
    })
    socket.on('error', () => resolve(false)).on('timeout', () => socket.destroy(new Error('no answer')))
  })
}

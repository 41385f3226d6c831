import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { type Finding, fine, wrong } from '../finding.js'

/** How long the process on the port may take to present its certificate. */
const answerMs = 3000
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop what listens there, or choose another port: --secure-port',
  EACCES: 'Choose a port above 1023, or allow it: setcap cap_net_bind_service=+ep $(command -v node)',
  EADDRNOTAVAIL: 'Name an address of this machine: --bind-address',
}

/** A server that may already be running. */
export interface KnownServer {
  /** The process that uses the same data folder. */
  readonly pid: number | undefined
  /** The file of its certificate. A remote store does not show which server uses it. */
  readonly certificateFile: string | undefined
}

/** Checks whether a server can listen there. */
export async function checkPort(
  host: string,
  port: number,
  known: KnownServer,
  now: number = Date.now(),
): Promise<Finding> {
  const place = `port ${port} of ${host}`
  const error = await listenError(host, port)
  if (error === undefined) return fine(`${place} is free`)
  const { code = '', message } = error
  const shown = code === 'EADDRINUSE' ? await certificateShownAt(host, port) : undefined
  const isOurs = isCertificateOf(known.certificateFile, shown)
  if (code === 'EADDRINUSE' && (known.pid !== undefined || isOurs)) {
    const who = known.pid === undefined ? `a server that shows ${known.certificateFile}` : serverOf(known.pid)
    return checkShown(`${place} is taken${isOurs ? '' : ', most likely'} by ${who}`, shown, now)
  }
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

const serverOf = (pid: number): string => `the server that runs (process ${pid})`

/** A server renews its certificate in time; if it still presents an expired one, that failed, and clients reject it. */
function checkShown(what: string, shown: X509Certificate | undefined, now: number): Finding {
  if (shown === undefined || now < Date.parse(shown.validTo)) return fine(what)
  return wrong(
    `${what}, which shows a certificate that expired on ${new Date(shown.validTo).toISOString()}: clients refuse it`,
    'See its log for why it was not replaced, and restart it when the certificate on disk is valid',
  )
}

/** The certificate presented by the process on the port; undefined if there is none. */
function certificateShownAt(host: string, port: number): Promise<X509Certificate | undefined> {
  return new Promise(resolve => {
    const address = host === '0.0.0.0' || host === '::' ? 'localhost' : host
    const socket = connect({ host: address, port, rejectUnauthorized: false, timeout: answerMs }, () => {
      resolve(socket.getPeerX509Certificate())
      socket.destroy()
    })
    socket.on('error', () => resolve(undefined)).on('timeout', () => socket.destroy(new Error('no answer')))
  })
}

/** Whether it is the first certificate of this file. */
function isCertificateOf(file: string | undefined, shown: X509Certificate | undefined): boolean {
  try {
    return file !== undefined && shown?.fingerprint256 === new X509Certificate(readFileSync(file)).fingerprint256
  } catch {
    // An unreadable file is reported elsewhere.
    return false
  }
}

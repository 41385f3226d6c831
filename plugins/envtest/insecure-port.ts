import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect, createSecureContext } from 'node:tls'

/** The address for plain HTTP, and the server that it forwards to. */
export interface InsecurePort {
  readonly host: string
  readonly port: number
  readonly securePort: number
  readonly secureHost: string
  /** Contains the administrator's certificate: clients of this port may do everything, as in the reference. */
  readonly dataDir: string
}

/**
 * Listens for plain HTTP and forwards every connection to the TLS port, byte for byte, as the administrator. Resolves
 * when it listens.
 */
export async function openInsecurePort({ host, port, securePort, secureHost, dataDir }: InsecurePort): Promise<void> {
  const pki = (name: string) => readFileSync(join(dataDir, 'pki', name))
  // Both ends are this process, so the certificate need not be verified.
  const secureContext = createSecureContext({ cert: pki('admin.crt'), key: pki('admin.key') })
  const server = createServer({ allowHalfOpen: true, noDelay: true }, plain => {
    const secure = connect({ host: secureHost, port: securePort, secureContext, rejectUnauthorized: false })
    joinBoth(plain, secure)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.unref()
}

function joinBoth(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
}

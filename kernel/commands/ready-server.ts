import { rmSync } from 'node:fs'
import type { ReadyServer } from 'orch/sdk/host'
import { writePrivateFile } from '../pki/private-files.js'
import type { ServerIdentity } from '../pki/server-identity.js'

/** The document for programs that a server writes when it has started. `clientConfigPath` is an absolute path. */
export function readyServer(
  baseUrl: string,
  identity: ServerIdentity,
  isTls: boolean,
  clientConfigPath: string,
): ReadyServer {
  const address = addressForClients(baseUrl)
  return {
    address,
    port: Number(new URL(address).port || (isTls ? 443 : 80)),
    ca: isTls ? trustedByClients(identity) : null,
    kubeconfig: clientConfigPath,
    pid: process.pid,
  }
}

/** Nobody can connect to a wildcard address; a client on this machine uses loopback. */
export const addressForClients = (baseUrl: string): string =>
  baseUrl.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:')

/** A serving certificate of the operator has another issuer: clients then also trust the certificates in its file. */
export const trustedByClients = ({ serving, pki }: ServerIdentity): string =>
  serving === pki.serving ? pki.trustedPem : `${serving.certificatePem}\n${pki.trustedPem}`

/** The document of --ready-file. It exists only while the server runs, so that a stale one is never found. */
export class ReadyFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
    this.remove()
  }
  write(server: ReadyServer): void {
    writePrivateFile(this.#path, `${JSON.stringify(server, null, 2)}\n`)
  }
  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

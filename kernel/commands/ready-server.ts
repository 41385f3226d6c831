/** What a server reports when it has started: a banner for people, a document for programs. */
import { rmSync } from 'node:fs'
import type { ReadyServer } from 'orch/sdk/host'
import { writePrivateFile } from '../pki/private-files.js'
import type { ServerIdentity } from '../pki/server-identity.js'

/** `clientConfigPath` is an absolute path. */
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

/** An operator's own serving certificate was signed by somebody else: then the client trusts what is in its file too. */
export const trustedByClients = ({ serving, pki }: ServerIdentity): string =>
  serving === pki.serving ? pki.trustedPem : `${serving.certificatePem}\n${pki.trustedPem}`

/** The document of --ready-file. It is there only while the server is: whoever waits for it must not find an old one. */
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

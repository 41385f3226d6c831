import { join } from 'node:path'
import type { FrontProxy } from 'orch/sdk/host'

/** Names of the files in `pki/`, without their endings. */
export const frontProxyFiles = { authority: 'front-proxy-ca', client: 'front-proxy-client' } as const

/** The client certificate in a data folder that this server presents to extension servers. */
export class FolderFrontProxy implements FrontProxy {
  readonly commonName = frontProxyFiles.client
  readonly certificateFile: string
  readonly keyFile: string
  readonly caFile: string
  #isUsed = false

  constructor(dataDir: string) {
    const file = (name: string) => join(dataDir, 'pki', name)
    this.certificateFile = file(`${frontProxyFiles.client}.crt`)
    this.keyFile = file(`${frontProxyFiles.client}.key`)
    this.caFile = file(`${frontProxyFiles.authority}.crt`)
  }
  get isUsed(): boolean {
    return this.#isUsed
  }
  use(): void {
    this.#isUsed = true
  }
}

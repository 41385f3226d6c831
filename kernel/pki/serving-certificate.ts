import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { ChangingFiles, type Clock, type Logger, type Metrics, type VendorProfile } from 'orch/sdk'
import type { KernelOptions } from '../options/kernel-options.js'
import { ensurePki, type Pki } from './ensure-pki.js'
import type { Identity } from './issue-certificate.js'

export interface ServingCertificateParts {
  readonly options: KernelOptions
  readonly dataDir: string
  readonly vendor: VendorProfile
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
  /** May this process make certificates? Others read what it made. */
  readonly mayRenew: boolean
  /** Serves with another certificate from now on. */
  replace(serving: Identity): void
}

/** How often certificates are looked at. */
const lookEveryMs = 60_000

/**
 * Keeps the certificate of a running server valid. One that the operator gives is read again when its files change; one that
 * the server made for itself is made anew before it expires, from the same authority, and so is the administrator's.
 */
export class ServingCertificate {
  readonly #parts: ServingCertificateParts
  readonly #files: ChangingFiles<Identity>
  #served: string | undefined
  #cancel: () => void = () => {}
  #isClosed = false
  #onRenewal: (pki: Pki) => void = () => {}

  constructor(parts: ServingCertificateParts, serving: Identity) {
    this.#parts = parts
    this.#served = serving.certificatePem
    this.#files = filesOfServing(parts)
    this.#lookLater()
  }

  /** Told when certificates in the data folder were made anew. */
  set onRenewal(listener: (pki: Pki) => void) {
    this.#onRenewal = listener
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  #lookLater(): void {
    if (this.#isClosed) return
    this.#cancel = this.#parts.clock.after(lookEveryMs, () => {
      this.#look()
        .catch(error => this.#parts.logger.error('certificates could not be looked at', { error }))
        .finally(() => this.#lookLater())
    })
  }

  async #look(): Promise<void> {
    const { options, dataDir, vendor, clock, logger, mayRenew, replace } = this.#parts
    if (mayRenew) {
      const pki = await ensurePki({
        dataDir,
        vendor,
        bindAddress: options.bindAddress,
        now: clock.now(),
        isUsed: true,
      })
      if (this.#isClosed) return
      if (pki.isNew) {
        logger.info('certificates that were about to expire were made anew')
        this.#onRenewal(pki)
      }
    }
    const serving = this.#files.current()
    if (serving.certificatePem === this.#served) return
    replace(serving)
    this.#served = serving.certificatePem
    logger.info('another serving certificate is used', {
      validTo: new Date(new X509Certificate(serving.certificatePem).validTo).toISOString(),
    })
  }
}

function filesOfServing(parts: ServingCertificateParts): ChangingFiles<Identity> {
  const own = (name: string) => join(parts.dataDir, 'pki', name)
  const { tlsCertFile, tlsPrivateKeyFile } = parts.options
  const isGiven = tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined
  return new ChangingFiles({
    ...parts,
    what: 'serving certificate',
    paths: isGiven ? [tlsCertFile, tlsPrivateKeyFile] : [own('serving.crt'), own('serving.key')],
    parse: ([certificatePem = '', keyPem = '']) => {
      if (!new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem)))
        throw new Error('the key is not that of the certificate')
      return { certificatePem, keyPem }
    },
  })
}

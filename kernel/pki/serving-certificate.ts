import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import type { Clock, Logger, Metrics, VendorProfile } from 'orch/sdk'
import { ChangingFiles } from 'orch/sdk/files'
import type { KernelOptions } from '../options/kernel-options.js'
import { ensurePki, type Pki } from './ensure-pki.js'
import { ExpiryReport } from './expiry-report.js'
import type { Identity } from './issue-certificate.js'

export interface ServingCertificateParts {
  readonly options: KernelOptions
  readonly dataDir: string
  readonly vendor: VendorProfile
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
  /** Whether this process renews certificates. Others only read them. */
  readonly mayRenew: boolean
  /** Switches the server to another certificate. */
  replace(serving: Identity): void
}

/** How often certificates are checked. */
const checkIntervalMs = 60_000

/**
 * Keeps the certificate of a running server valid. A configured certificate is reloaded when its files change; a generated one is
 * renewed by the same CA before it expires, and so is the administrator's.
 */
export class ServingCertificate {
  readonly #parts: ServingCertificateParts
  readonly #files: ChangingFiles<Identity>
  readonly #report: ExpiryReport | undefined
  #served: string | undefined
  #cancel: () => void = () => {}
  #isClosed = false
  #onRenewal: (pki: Pki) => void = () => {}

  constructor(parts: ServingCertificateParts, serving: Identity) {
    this.#parts = parts
    this.#served = serving.certificatePem
    this.#files = filesOfServing(parts)
    this.#report = parts.mayRenew ? new ExpiryReport({ ...parts, givenFile: parts.options.tlsCertFile }) : undefined
    this.#report?.run()
    this.#scheduleCheck()
  }

  /** Calls the listener when certificates in the data folder were renewed. */
  set onRenewal(listener: (pki: Pki) => void) {
    this.#onRenewal = listener
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  #scheduleCheck(): void {
    if (this.#isClosed) return
    this.#cancel = this.#parts.clock.after(checkIntervalMs, () => {
      this.#check()
        .catch(error => this.#parts.logger.error('certificates could not be checked', { error }))
        .finally(() => {
          this.#report?.run()
          this.#scheduleCheck()
        })
    })
  }

  async #check(): Promise<void> {
    const { options, dataDir, vendor, clock, logger, mayRenew, replace } = this.#parts
    if (mayRenew) {
      const issued: string[] = []
      const pki = await ensurePki({
        dataDir,
        vendor,
        bindAddress: options.bindAddress,
        now: clock.now(),
        isUsed: true,
        onIssued: name => issued.push(name),
      })
      if (this.#isClosed) return
      if (pki.isNew) {
        logger.info('certificates that were about to expire were renewed', { certificates: issued.join(', ') })
        this.#onRenewal(pki)
      }
    }
    const serving = this.#files.current()
    if (serving.certificatePem === this.#served) return
    replace(serving)
    this.#served = serving.certificatePem
    logger.info('the serving certificate was replaced', {
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

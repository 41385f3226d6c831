import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type Clock, type Logger, pemBlocks } from 'orch/sdk'

/** How often a file is looked at, at most: an authority that was removed is refused after this time. */
const lookAgainMs = 1000

/** The certificates of a PEM text. */
export const parseCertificates = (pem: string): readonly X509Certificate[] =>
  pemBlocks(pem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ text }) => new X509Certificate(text))

/** Certificates of a file that is read again when it changes. While the new contents make no sense, the old ones count. */
export class CertificateBundle {
  readonly #path: string
  readonly #clock: Clock
  readonly #logger: Logger
  #certificates: readonly X509Certificate[]
  #identity: string
  #lookedAt: number

  /** Throws when the file cannot be read or holds no certificate. */
  constructor(path: string, clock: Clock, logger: Logger) {
    this.#path = path
    this.#clock = clock
    this.#logger = logger
    this.#identity = identityOf(path)
    this.#certificates = readBundle(path)
    this.#lookedAt = clock.now()
  }

  /** The same list until the file changes. */
  current(): readonly X509Certificate[] {
    const now = this.#clock.now()
    if (now - this.#lookedAt >= lookAgainMs) {
      this.#lookedAt = now
      this.#readAgain()
    }
    return this.#certificates
  }

  #readAgain(): void {
    try {
      const identity = identityOf(this.#path)
      if (identity === this.#identity) return
      this.#certificates = readBundle(this.#path)
      this.#identity = identity
      this.#logger.info('certificate authorities changed', { file: this.#path, count: this.#certificates.length })
    } catch (error) {
      this.#logger.warn('certificate authorities could not be read again', { file: this.#path, error })
    }
  }
}

/** Changes whenever the file is written or replaced. */
function identityOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path)
  return `${mtimeMs} ${size} ${ino}`
}

function readBundle(path: string): readonly X509Certificate[] {
  const certificates = parseCertificates(readFileSync(path, 'utf8'))
  if (certificates.length === 0) throw new Error(`${path} holds no PEM certificate`)
  return certificates
}

import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import type { Clock, Logger, Metrics } from 'orch/sdk'
import { frontProxyFiles } from './front-proxy.js'
import { readIfThere } from './private-files.js'

const dayMs = 24 * 3_600_000
/** All clients need the new CA, and distributing it takes time. */
const authorityWarningMs = 90 * dayMs
/** A certificate of the operator, which the server does not renew. */
const givenWarningMs = 30 * dayMs

export interface ExpiryReportParts {
  readonly dataDir: string
  /** The serving certificate of the operator, if there is one. */
  readonly givenFile: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
}

/** Milliseconds since the epoch. */
interface Validity {
  readonly validFrom: number
  readonly validTo: number
}

interface Watched {
  readonly name: string
  readonly path: string
  /** Undefined if the server renews it in time. */
  readonly warning?: { readonly beforeMs: number; readonly remedy: string }
}

/**
 * Reports the expiry of certificates: in a metric, and once a day in the log for those that a server never replaces, and for any
 * that is not valid yet because a clock is or was wrong.
 */
export class ExpiryReport {
  readonly #parts: ExpiryReportParts
  readonly #warnedAt = new Map<string, number>()

  constructor(parts: ExpiryReportParts) {
    this.#parts = parts
  }

  run(): void {
    for (const each of watchedBy(this.#parts)) {
      const times = timesOf(each.path)
      if (times === undefined) continue
      this.#expires?.set(times.validTo / 1000, { certificate: each.name })
      this.#warn(each, times)
    }
  }

  #warn({ path, warning }: Watched, { validFrom, validTo }: Validity): void {
    const { clock, logger } = this.#parts
    const now = clock.now()
    const isEarly = now < validFrom
    if (!isEarly && (warning === undefined || validTo - now > warning.beforeMs)) return
    // A clock that was set back must not silence the next warning.
    if (Math.abs(now - (this.#warnedAt.get(path) ?? Number.NEGATIVE_INFINITY)) < dayMs) return
    this.#warnedAt.set(path, now)
    if (isEarly)
      return logger.warn('a certificate is not valid yet, and clients reject it', {
        file: path,
        validFrom: new Date(validFrom).toISOString(),
        now: new Date(now).toISOString(),
        remedy: 'set the clock of this machine; if the clock was wrong when the certificate was issued, replace it',
      })
    const days = Math.floor((validTo - now) / dayMs)
    const what = days < 0 ? 'a certificate has expired' : 'a certificate is about to expire'
    logger.warn(what, { file: path, validTo: new Date(validTo).toISOString(), days, remedy: warning?.remedy })
  }

  get #expires() {
    return this.#parts.metrics?.gauge(
      'apiserver_certificate_expiration_timestamp_seconds',
      'When the certificates of this server expire.',
      ['certificate'],
    )
  }
}

function watchedBy({ dataDir, givenFile }: ExpiryReportParts): Watched[] {
  const own = (name: string): Watched => ({ name, path: join(dataDir, 'pki', `${name}.crt`) })
  const remedy = 'orch certs rotate-ca, after which old and new clients work; the server never replaces its CA'
  const given = { beforeMs: givenWarningMs, remedy: 'put a new certificate and its key there' }
  return [
    { ...own('ca'), warning: { beforeMs: authorityWarningMs, remedy } },
    givenFile === undefined ? own('serving') : { name: 'serving', path: givenFile, warning: given },
    ...['admin', ...Object.values(frontProxyFiles)].map(own),
  ]
}

/** The validity of the first certificate in a file; undefined if it cannot be read, which is reported elsewhere. */
function timesOf(path: string): Validity | undefined {
  try {
    const { validFrom, validTo } = new X509Certificate(readIfThere(path) ?? '')
    return { validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) }
  } catch {
    return undefined
  }
}

import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import type { Clock, Logger, Metrics } from 'orch/sdk'
import { frontProxyFiles } from './front-proxy.js'
import { readIfThere } from './private-files.js'

const dayMs = 24 * 3_600_000
/** All clients have to get a new CA, which takes time. */
const authorityWarningMs = 90 * dayMs
/** A certificate of the operator, which nobody else renews. */
const givenWarningMs = 30 * dayMs

export interface ExpiryReportParts {
  readonly dataDir: string
  /** The serving certificate of the operator, if there is one. */
  readonly givenFile: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
}

interface Watched {
  readonly name: string
  readonly path: string
  /** Undefined where the server renews it in time. */
  readonly warning?: { readonly beforeMs: number; readonly remedy: string }
}

/** Tells until when certificates are valid: in a metric, and in the log, once a day, of those that a server never replaces by itself. */
export class ExpiryReport {
  readonly #parts: ExpiryReportParts
  readonly #warnedAt = new Map<string, number>()

  constructor(parts: ExpiryReportParts) {
    this.#parts = parts
  }

  run(): void {
    for (const each of watchedBy(this.#parts)) {
      const validTo = endOf(each.path)
      if (validTo === undefined) continue
      this.#expires?.set(validTo / 1000, { certificate: each.name })
      this.#warn(each, validTo)
    }
  }

  #warn({ path, warning }: Watched, validTo: number): void {
    const { clock, logger } = this.#parts
    const now = clock.now()
    if (warning === undefined || validTo - now > warning.beforeMs) return
    if (now - (this.#warnedAt.get(path) ?? Number.NEGATIVE_INFINITY) < dayMs) return
    this.#warnedAt.set(path, now)
    const days = Math.floor((validTo - now) / dayMs)
    const what = days < 0 ? 'a certificate has expired' : 'a certificate is about to expire'
    logger.warn(what, { file: path, validTo: new Date(validTo).toISOString(), days, remedy: warning.remedy })
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
  const remedy = 'orch certs rotate-ca, which old and new clients work with; the server never replaces its CA'
  const given = { beforeMs: givenWarningMs, remedy: 'put a new certificate and its key there' }
  return [
    { ...own('ca'), warning: { beforeMs: authorityWarningMs, remedy } },
    givenFile === undefined ? own('serving') : { name: 'serving', path: givenFile, warning: given },
    ...['admin', ...Object.values(frontProxyFiles)].map(own),
  ]
}

/** Of the first certificate in a file; undefined if it cannot be read, which others tell. */
function endOf(path: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(readIfThere(path) ?? '').validTo)
  } catch {
    return undefined
  }
}

import type { X509Certificate } from 'node:crypto'
import type { Clock } from 'orch/sdk'
import { verifyClientChain } from './verify-chain.js'

/** The result of checking the certificates of a connection. */
interface Verdict {
  readonly authorities: readonly X509Certificate[]
  readonly validUntil: number
  readonly error: Error | undefined
}
/** A rejected certificate is checked again after this time: it may become valid. */
const rejectedForMs = 10_000
const maxCached = 1000

/**
 * Checks client certificates once per connection, and again when the authorities change or a certificate expires.
 * A resumed TLS session has only the client's own certificate, so the intermediates of the full handshake are cached.
 */
export class ClientVerifier {
  readonly #authorities: () => readonly X509Certificate[]
  readonly #clock: Clock
  readonly #verdicts = new WeakMap<readonly X509Certificate[], Verdict>()
  readonly #intermediates = new Map<string, readonly X509Certificate[]>()

  constructor(authorities: () => readonly X509Certificate[], clock: Clock) {
    this.#authorities = authorities
    this.#clock = clock
  }

  /** Throws unless the first certificate is a client certificate that chains to a trusted authority. */
  verify(presented: readonly X509Certificate[]): void {
    const authorities = this.#authorities()
    const now = this.#clock.now()
    let verdict = this.#verdicts.get(presented)
    if (!verdict || verdict.authorities !== authorities || verdict.validUntil < now) {
      verdict = this.#check(presented, authorities, now)
      this.#verdicts.set(presented, verdict)
    }
    if (verdict.error) throw verdict.error
  }

  #check(presented: readonly X509Certificate[], authorities: readonly X509Certificate[], now: number): Verdict {
    const [own] = presented
    const id = own?.fingerprint256 ?? ''
    const chain = presented.length === 1 && own ? [own, ...(this.#intermediates.get(id) ?? [])] : presented
    try {
      const { validUntil } = verifyClientChain(chain, authorities, now)
      if (presented.length > 1) this.#keepIntermediates(id, presented.slice(1))
      return { authorities, validUntil, error: undefined }
    } catch (thrown) {
      return { authorities, validUntil: now + rejectedForMs, error: thrown as Error }
    }
  }

  #keepIntermediates(id: string, intermediates: readonly X509Certificate[]): void {
    this.#intermediates.delete(id)
    this.#intermediates.set(id, intermediates)
    const [oldest] = this.#intermediates.keys()
    if (this.#intermediates.size > maxCached && oldest !== undefined) this.#intermediates.delete(oldest)
  }
}

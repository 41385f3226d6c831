/** Certificates are valid from a little earlier, because clocks may be behind. */
const backdateMs = 5 * 60_000
/** The end of a shorter lifetime is not backdated, because five minutes would be more than a hundredth of it. */
const shortLifetimeMs = 8 * 3_600_000
/** Twice the backdating: anything shorter is useless. */
const minLifetimeMs = 10 * 60_000

export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** The validity of a certificate: the requested lifetime, at most `maxLifetimeMs`, and never longer than its CA. */
export function validityOf(request: {
  readonly now: number
  readonly requestedSeconds: number | undefined
  readonly maxLifetimeMs: number
  readonly authorityEnds: number
}): Validity {
  const { now, requestedSeconds, maxLifetimeMs, authorityEnds } = request
  if (authorityEnds <= now) throw new Error(`the authority expired at ${new Date(authorityEnds).toISOString()}`)
  const lifetimeMs =
    requestedSeconds === undefined
      ? maxLifetimeMs
      : Math.min(maxLifetimeMs, Math.max(requestedSeconds * 1000, minLifetimeMs))
  const end = now + lifetimeMs - (lifetimeMs < shortLifetimeMs ? 0 : backdateMs)
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(Math.min(end, authorityEnds)) }
}

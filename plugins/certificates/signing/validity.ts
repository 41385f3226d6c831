/** Certificates count from a little earlier, for those whose clock is behind. */
const backdateMs = 5 * 60_000
/** Of a life shorter than this the five minutes would be more than a hundredth, so its end is not moved with its begin. */
const shortLifeMs = 8 * 3_600_000
/** Twice the backdating: anything shorter is useless. */
const shortestLifeMs = 10 * 60_000

export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** When a certificate is valid: as long as asked for, at most `longestMs`, never longer than its authority. */
export function validityOf(request: {
  readonly now: number
  readonly requestedSeconds: number | undefined
  readonly longestMs: number
  readonly authorityEnds: number
}): Validity {
  const { now, requestedSeconds, longestMs, authorityEnds } = request
  if (authorityEnds <= now) throw new Error(`the authority expired at ${new Date(authorityEnds).toISOString()}`)
  const lifeMs =
    requestedSeconds === undefined ? longestMs : Math.min(longestMs, Math.max(requestedSeconds * 1000, shortestLifeMs))
  const end = now + lifeMs - (lifeMs < shortLifeMs ? 0 : backdateMs)
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(Math.min(end, authorityEnds)) }
}

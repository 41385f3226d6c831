import type { FuzzRequest } from './random-request.js'
import type { RawAnswer } from './raw-connection.js'

/** Subresources that need a node, which does not exist. */
const leadsToNode = /\/(?:exec|attach|portforward|log|proxy)(?:[/?]|$)/

/** Expected responses of 500 and above. */
function isDefinedFailure(status: number, { path, mayBeLate }: FuzzRequest): boolean {
  if (status === 501) return true // a transfer coding that is not understood
  if (status === 504) return mayBeLate
  return leadsToNode.test(path)
}

/** The problem with the response to any request; undefined if there is none. */
export function judgeAnswer(request: FuzzRequest, { status, contentType, body }: RawAnswer): string | undefined {
  const text = body.toString()
  const shown = `${status} ${contentType}: ${text.slice(0, 300)}`
  if (!(status >= 200 && status < 600)) return `no status: ${shown}`
  if (status >= 500 && !isDefinedFailure(status, request)) return `a failure: ${shown}`
  if (request.method === 'HEAD' || request.isWatch || status === 304) return undefined
  if (!contentType.startsWith('application/json')) {
    const isOther = /^(?:text\/plain|application\/(?:yaml|vnd\.|jwk-set|com\.))/.test(contentType)
    return isOther || status < 400 ? undefined : `an error of unknown form: ${shown}`
  }
  try {
    const answer = JSON.parse(text)
    if (status < 400) return undefined
    return answer.kind === 'Status' && answer.code === status && answer.message
      ? undefined
      : `an error without a Status that fits: ${shown}`
  } catch {
    return `not JSON: ${shown}`
  }
}

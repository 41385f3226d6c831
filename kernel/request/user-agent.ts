import type { Exchange } from '../contracts/exchange.js'

/** The user agent, truncated: clients choose it freely. */
export function userAgentOf(exchange: Exchange, longest: number): string | undefined {
  const agent = exchange.headers['user-agent']
  // Decoding as UTF-8 is not worth its cost for a typical one.
  const text = agent !== undefined && /[^\x00-\x7f]/.test(agent) ? exchange.headerValues('user-agent')[0] : agent
  return text?.slice(0, longest)
}

import type { Exchange } from '../contracts/exchange.js'

/** What a client calls itself, up to a length: it may write anything. */
export function userAgentOf(exchange: Exchange, longest: number): string | undefined {
  const agent = exchange.headers['user-agent']
  // Reading it as UTF-8 costs more than the usual one deserves.
  const text = agent !== undefined && /[^\x00-\x7f]/.test(agent) ? exchange.headerValues('user-agent')[0] : agent
  return text?.slice(0, longest)
}

import { createRequire } from 'node:module'

/** What of it is used: the bundle has nothing else, see tools/bundle.mjs. */
type Undici = Pick<typeof import('undici'), 'Agent' | 'Pool' | 'ProxyAgent' | 'buildConnector'>
let loaded: Undici | undefined

/** undici, when the first request over HTTP needs it: a server that talks to nobody starts a tenth of a second sooner. */
export function loadUndici(): Undici {
  loaded ??= createRequire(import.meta.url)('undici') as Undici
  return loaded
}

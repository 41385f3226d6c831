import { createRequire } from 'node:module'

/** The names that are used: the bundle contains no others, see tools/bundle.mjs. */
type Undici = Pick<typeof import('undici'), 'Agent' | 'Pool' | 'ProxyAgent' | 'buildConnector'>
let loaded: Undici | undefined

/** Loads undici for the first request over HTTP: a server that makes none starts a tenth of a second sooner. */
export function loadUndici(): Undici {
  loaded ??= createRequire(import.meta.url)('undici') as Undici
  return loaded
}

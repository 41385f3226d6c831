import { createRequire } from 'node:module'

type Undici = typeof import('undici')
let loaded: Undici | undefined

/** undici, when the first request over HTTP needs it: a server that talks to nobody starts a tenth of a second sooner. */
export function loadUndici(): Undici {
  loaded ??= createRequire(import.meta.url)('undici') as Undici
  return loaded
}

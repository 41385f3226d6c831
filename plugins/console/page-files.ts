import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { staticFiles } from 'orch/sdk/server'

/**
 * The page may only load scripts and styles of this server, connect to this server, and not be framed. Injected scripts are
 * blocked by the browser.
 */
const securityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders = {
  'Content-Security-Policy': securityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Beside this module, or below the bundle that contains it. */
function builtPage(): string {
  const places = ['./built-page', './plugins/console/built-page'].map(place =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find(place => existsSync(`${place}/index.html`))
  if (!found) throw new Error('the page of the console was not built: run npm run build')
  return found
}

/** The page itself is public, since it contains no data. */
export const pageFiles = staticFiles({ path: '/console/*', access: 'public', folder: builtPage, headers: pageHeaders })

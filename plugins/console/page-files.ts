import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { staticFiles } from 'orch/sdk/server'

/**
 * What the page may do, whatever it is made to show: run and look like what this server sends, talk to this server, and be
 * in nobody's frame. Text can never become script: even code that tried to would be stopped by the browser.
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

/** Beside this module, or below the program that it was joined into. */
function builtPage(): string {
  const places = ['./built-page', './plugins/console/built-page'].map(place =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find(place => existsSync(`${place}/index.html`))
  if (!found) throw new Error('the page of the console was not built: run npm run build')
  return found
}

/** The page itself: anybody may load it, since it shows nothing by itself. */
export const pageFiles = staticFiles({ path: '/console/*', access: 'public', folder: builtPage, headers: pageHeaders })

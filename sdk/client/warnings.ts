import type { TransportResponse } from './client.js'

/** One entry of a Warning header: code, agent, and a quoted text in which a backslash hides the next character. */
const entry = /\b(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g

/** The texts of the warnings (code 299) an answer carries. */
export function warningTexts(headers: TransportResponse['headers']): string[] {
  return [headers['warning'] ?? []]
    .flat()
    .flatMap(value => [...value.matchAll(entry)])
    .filter(match => match[1] === '299')
    .map(match => (match[2] ?? '').replace(/\\(.)/g, '$1'))
}

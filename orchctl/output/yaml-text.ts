import { readYaml, writeYaml, YamlError } from 'orch/sdk/files'
import { UsageError } from '../usage-error.js'
import type { Painter } from './painter.js'

/** Parses YAML or JSON documents as the server does; empty ones are dropped. `origin` names the source in error messages. */
export function parseYamlDocuments(text: string, origin: string): unknown[] {
  try {
    const { documents, repeatedKeys } = readYaml(text, { maxRepeatedKeys: 1 })
    const [repeated] = repeatedKeys
    if (repeated) throw new UsageError(`${origin}: duplicate key "${repeated.key}" in line ${repeated.line}`)
    return documents.filter(document => document !== null && document !== undefined)
  } catch (error) {
    throw error instanceof YamlError ? new UsageError(`${origin}: ${error.message}`) : error
  }
}

/** An object as YAML. */
export const yamlText = writeYaml

/** YAML text with coloured keys. */
export const paintYaml = (text: string, paint: Painter): string =>
  text.replace(
    /^( *(?:- )*)(?!- )([^\s:'"#][^:\n\r\u2028\u2029]*)(:)(?=\s|$)/gm,
    (_, indent, key, colon) => indent + paint.key(key) + colon,
  )

import { readYaml, writeYaml, YamlError } from 'orch/sdk'
import { UsageError } from '../usage-error.js'
import type { Painter } from './painter.js'

/** The documents of a YAML or JSON text, read as the server reads it; empty ones are left out. `origin` names it in messages. */
export function parseYamlDocuments(text: string, origin: string): unknown[] {
  try {
    const { documents, repeatedKeys } = readYaml(text, { maxRepeatedKeys: 1 })
    const [repeated] = repeatedKeys
    if (repeated)
      throw new UsageError(`${origin}: key "${repeated.key}" is stated twice, again in line ${repeated.line}`)
    return documents.filter(document => document !== null && document !== undefined)
  } catch (error) {
    throw error instanceof YamlError ? new UsageError(`${origin}: ${error.message}`) : error
  }
}

/** An object as people read it. */
export const yamlText = writeYaml

/** YAML text with coloured keys. */
export const paintYaml = (text: string, paint: Painter): string =>
  text.replace(
    /^( *(?:- )*)(?!- )([^\s:'"#][^:\n\r\u2028\u2029]*)(:)(?=\s|$)/gm,
    (_, indent, key, colon) => indent + paint.key(key) + colon,
  )

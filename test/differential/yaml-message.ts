import { parse } from 'yaml'
import { valueAt } from '../golden/json-paths.js'

/** The message of a Status in YAML. */
export function yamlMessage(text: unknown): unknown {
  try {
    return typeof text === 'string' ? valueAt(parse(text), 'message') : undefined
  } catch {
    return undefined
  }
}

import { writeJson } from '../../../libs/json/index.js'

export { isObject, type JsonObject, own, quoted, sameJson, setOwn, shallowCopy } from '../../../libs/json/index.js'

/**
 * JSON as Go writes it, with these characters escaped. Needed where the text itself is compared: in path elements, and
 * in the annotation of the command-line client.
 */
export function escapedJson(value: unknown): string {
  if (typeof value === 'string' && /^[\w.\-/:]*$/.test(value)) return `"${value}"`
  const text = writeJson(value)
  if (!/[<>&\u2028\u2029]/.test(text)) return text
  return text.replace(/[<>&\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

import { badRequest } from '../resource/api-errors.js'

/** One condition on a field; a field selector is a list of them, all of which must hold. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** Splits at commas that no backslash hides. */
function splitTerms(selector: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < selector.length; at++) {
    if (selector[at] === '\\') at++
    else if (selector[at] === ',') {
      terms.push(selector.slice(start, at))
      start = at + 1
    }
  }
  terms.push(selector.slice(start))
  return terms.filter(term => term !== '')
}

function plainValue(value: string): string {
  let plain = ''
  for (let at = 0; at < value.length; at++) {
    const c = value[at] ?? ''
    if (c === '\\') {
      const escaped = value[++at] ?? ''
      if (escaped === '' || !'\\,='.includes(escaped))
        throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`)
      plain += escaped
    } else if (c === ',' || c === '=')
      throw badRequest(`invalid field selector: unescaped character in value: ${c.charCodeAt(0)}`)
    else plain += c
  }
  return plain
}

/**
 * Reads a field selector: `a=b`, `a==b`, `a!=b`, joined by commas; `\,`, `\=` and `\\` stand for the character itself in
 * values. A term that names neither field nor value asks for nothing. Which fields may be named is for the resource type to say. Text that does not parse throws a 400 ApiError.
 */
export function parseFieldSelector(selector: string): FieldRequirement[] {
  return splitTerms(selector)
    .sort()
    .map(term => {
      const sign = /!=|==|=/.exec(term)
      if (sign === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`)
      return {
        field: term.slice(0, sign.index),
        operator: sign[0] === '!=' ? '!=' : '=',
        value: plainValue(term.slice(sign.index + sign[0].length)),
      } as const
    })
    .filter(({ field, value }) => field !== '' || value !== '')
}

/** Compiles requirements into a test for objects, whose fields `read` reads. A missing field is `''`. */
export function fieldMatcher(requirements: readonly FieldRequirement[]): (read: (field: string) => string) => boolean {
  return read => requirements.every(({ field, operator, value }) => (read(field) === value) === (operator === '='))
}

/** A field selector as text, with values escaped. */
export function formatFieldSelector(requirements: readonly FieldRequirement[]): string {
  return requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',')
}

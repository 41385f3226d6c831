import { badRequest } from '../resource/api-errors.js'

/** One condition on a field; a field selector is a list of them, all of which must hold. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** Splits at commas that are not escaped by a backslash. */
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
 * Reads a field selector: `a=b`, `a==b`, `a!=b`, joined by commas; `\,`, `\=` and `\\` stand for the character itself in values. A term
 * without field and value is ignored. Which fields are supported is up to the resource type. Text that does not parse throws a 400
 * ApiError.
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

import { type BootProblem, problem } from './boot-errors.js'
import { CoercionError, coerceOption } from './coerce-option.js'
import { nearestName } from './nearest-name.js'
import { expectationOf, type OptionDeclaration, optionKindOf } from './option-declarations.js'

export interface ParsedFlags {
  /** Values by config key. */
  readonly values: ReadonlyMap<string, unknown>
  readonly problems: readonly BootProblem[]
}

/**
 * Reads `--flag value`, `--flag=value` and `--switch` against the declared options. A boolean takes no separate value
 * (`--tls=false`, never `--tls false`), so that what follows a switch is never swallowed.
 */
export function parseFlags(words: readonly string[], declarations: Iterable<OptionDeclaration>): ParsedFlags {
  const byFlag = new Map([...declarations].map(declaration => [declaration.flag, declaration]))
  const problems: BootProblem[] = []
  const texts = new Map<OptionDeclaration, string[]>()

  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const { name, value } = splitFlag(word)
    if (name === undefined) {
      problems.push(problem('ORCH_ARGUMENT_UNEXPECTED', { argument: word }))
      continue
    }
    const declaration = byFlag.get(name)
    if (!declaration) {
      const nearest = nearestName(name, byFlag.keys())
      problems.push(
        problem('ORCH_FLAG_UNKNOWN', { flag: `--${name}`, ...(nearest ? { suggestion: `--${nearest}` } : {}) }),
      )
      // The word after an unknown flag is most likely its value: a second complaint would only distract.
      if (value === undefined && words[i + 1]?.startsWith('-') === false) i++
      continue
    }
    const given = texts.get(declaration) ?? []
    texts.set(declaration, given)
    if (value !== undefined) given.push(value)
    else if (optionKindOf(declaration.schema) === 'boolean') given.push('true')
    else if (i + 1 < words.length) given.push(words[++i] ?? '')
    else {
      problems.push(
        problem('ORCH_FLAG_WITHOUT_VALUE', { flag: `--${name}`, expected: expectationOf(declaration.schema) }),
      )
    }
  }

  const values = new Map<string, unknown>()
  for (const [{ key, flag, schema }, given] of texts) {
    if (given.length === 0) continue
    try {
      values.set(key, coerceOption(schema, given))
    } catch (thrown) {
      if (!(thrown instanceof CoercionError)) throw thrown
      const expected = expectationOf(schema)
      problems.push(problem('ORCH_FLAG_VALUE', { flag: `--${flag}`, value: given.join(','), expected }))
    }
  }
  return { values, problems }
}

/** `--name=value` and `--name`; one dash is enough for the one-letter `-v`. No name for anything else. */
function splitFlag(word: string): { name?: string; value?: string } {
  const match = /^(?:--([a-zA-Z][\w-]*)|-([a-zA-Z]))(?:=([\s\S]*))?$/.exec(word)
  if (!match) return {}
  const [, long, short, value] = match
  return { name: long ?? short ?? '', ...(value === undefined ? {} : { value }) }
}

/** The value of one flag before its plugin is known: `--config` must be read to learn which plugins there are. */
export function peekFlag(words: readonly string[], flag: string): string | undefined {
  let found: string | undefined
  words.forEach((word, i) => {
    if (word === `--${flag}`) found = words[i + 1]
    else if (word.startsWith(`--${flag}=`)) found = word.slice(flag.length + 3)
  })
  return found
}

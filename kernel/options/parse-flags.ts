import { parseArgs } from 'node:util'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import { CoercionError, coerceOption } from './coerce-option.js'
import { expectationOf, type OptionDeclaration, optionKindOf } from './option-declarations.js'

export interface ParsedFlags {
  /** Values by config key. */
  readonly values: ReadonlyMap<string, unknown>
  readonly problems: readonly BootProblem[]
}

/**
 * Parses `--flag value`, `--flag=value` and `--switch` against the declared options. A boolean takes no separate value
 * (`--tls=false`, never `--tls false`), so that the next argument is never taken for one. `-v` needs only one dash.
 */
export function parseFlags(words: readonly string[], declarations: Iterable<OptionDeclaration>): ParsedFlags {
  const byFlag = new Map([...declarations].map(declaration => [declaration.flag, declaration]))
  const problems: BootProblem[] = []
  const texts = new Map<OptionDeclaration, string[]>()
  const options = Object.fromEntries([...byFlag].map(([flag, { schema }]) => [flag, optionOf(flag, schema)]))
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true })

  // The argument after an unknown flag is most likely its value, so it is not reported.
  let valueOfUnknown = -1
  for (const token of tokens) {
    if (token.kind !== 'option') {
      if (token.index !== valueOfUnknown)
        problems.push(problem('ORCH_ARGUMENT_UNEXPECTED', { argument: words[token.index] ?? '' }))
      continue
    }
    const { name, rawName: flag } = token
    const declaration = byFlag.get(name)
    if (!declaration) {
      const nearest = nearestName(name, byFlag.keys())
      problems.push(problem('ORCH_FLAG_UNKNOWN', { flag, ...(nearest ? { suggestion: `--${nearest}` } : {}) }))
      if (token.value === undefined) valueOfUnknown = token.index + 1
      continue
    }
    const given = texts.get(declaration) ?? []
    texts.set(declaration, given)
    // The value of a one-letter flag may also follow an equals sign.
    if (token.value !== undefined) given.push(flag === `--${name}` ? token.value : token.value.replace(/^=/, ''))
    else if (optionKindOf(declaration.schema) === 'boolean') given.push('true')
    else
      problems.push(
        problem('ORCH_FLAG_WITHOUT_VALUE', { flag: `--${name}`, expected: expectationOf(declaration.schema) }),
      )
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

const optionOf = (flag: string, schema: OptionDeclaration['schema']) => ({
  type: optionKindOf(schema) === 'boolean' ? ('boolean' as const) : ('string' as const),
  ...(flag.length === 1 ? { short: flag } : {}),
})

/** The value of one flag before its plugin is known: `--config` must be read to learn which plugins there are. */
export function peekFlag(words: readonly string[], flag: string): string | undefined {
  const options = { [flag]: { type: 'string' as const } }
  const value = parseArgs({ args: [...words], options, strict: false, allowPositionals: true }).values[flag]
  return typeof value === 'string' ? value : undefined
}

import { isDuration, ownValue, parseDuration } from 'orch/sdk'
import { UsageError } from '../usage-error.js'

/** One option of a command. */
export interface FlagDefinition {
  readonly name: string
  /** One letter: `-o`. */
  readonly short?: string
  /** Other spellings, for hands that are used to them. */
  readonly aliases?: readonly string[]
  /** A `list` may be given several times; a `switch` takes no value, but `--switch=false` works. */
  readonly kind: 'text' | 'list' | 'switch'
  /** What stands for the value in help: `FILE`. */
  readonly value?: string
  readonly means: string
  /** Words a switch accepts after `=`, beside true and false. One that means true is kept as its text. */
  readonly words?: Readonly<Record<string, boolean>>
  /** Values to offer in completion. */
  readonly choices?: readonly string[]
}

/** What was given on the command line. */
export class Flags {
  readonly #values: ReadonlyMap<string, readonly string[]>
  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values
  }
  has(name: string): boolean {
    return this.#values.has(name)
  }
  /** The last value given. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1)
  }
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }
  is(name: string, otherwise = false): boolean {
    const value = this.text(name)
    return value === undefined ? otherwise : value !== 'false'
  }
  /** A whole number, zero or more. */
  number(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d+$/.test(text)) throw new UsageError(`--${name} must be a number, not "${text}"`)
    return Number(text)
  }
  durationMs(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!isDuration(text)) throw new UsageError(`--${name} must be a duration such as 30s or 5m, not "${text}"`)
    return parseDuration(text)
  }
  /** One of a few words. */
  choice<W extends string>(name: string, words: readonly W[]): W | undefined {
    const text = this.text(name)
    if (text === undefined || words.includes(text as W)) return text as W | undefined
    throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${text}"`)
  }
}

/** Words and flags of a command line, in any order. Words after `--` are never flags. */
export interface ParsedArguments {
  readonly words: readonly string[]
  readonly flags: Flags
}

export function parseArguments(argv: readonly string[], definitions: readonly FlagDefinition[]): ParsedArguments {
  const words: string[] = []
  const values = new Map<string, string[]>()
  const put = (definition: FlagDefinition, value: string) => {
    values.set(definition.name, [...(values.get(definition.name) ?? []), value])
  }
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') {
      words.push(...argv.slice(at + 1))
      break
    }
    if (word === '-' || !word.startsWith('-')) {
      words.push(word)
      continue
    }
    const { definition, value } = readFlag(word, definitions)
    if (definition.kind === 'switch') put(definition, switchValue(definition, value))
    else if (value !== undefined) put(definition, value)
    else if (at + 1 < argv.length) put(definition, argv[++at] ?? '')
    else throw new UsageError(`${word} needs a value: ${word} ${definition.value ?? 'VALUE'}`)
  }
  return { words, flags: new Flags(values) }
}

/** Reads `--name`, `--name=value`, `-n`, `-n=value` or `-nvalue`. */
function readFlag(
  word: string,
  definitions: readonly FlagDefinition[],
): { definition: FlagDefinition; value?: string } {
  const long = /^--([^=]+)(?:=(.*))?$/s.exec(word)
  const [, name = '', rest] = long ?? /^-(.)(.*)$/s.exec(word) ?? []
  const definition = definitions.find(one =>
    long ? one.name === name || one.aliases?.includes(name) : one.short === name,
  )
  if (definition === undefined) throw new UsageError(`unknown flag ${long ? `--${name}` : `-${name}`}; see --help`)
  if (long) return { definition, value: rest }
  return { definition, value: rest === '' ? undefined : rest?.replace(/^=/, '') }
}

function switchValue({ name, words = {} }: FlagDefinition, value: string | undefined): string {
  if (value === undefined || value === 'true') return 'true'
  if (value === 'false') return 'false'
  const known = ownValue(words, value)
  if (known !== undefined) return known ? value : 'false'
  const allowed = ['true', 'false', ...Object.keys(words)].join(', ')
  throw new UsageError(`--${name} must be one of ${allowed}, not "${value}"`)
}

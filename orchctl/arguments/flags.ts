import { parseArgs } from 'node:util'
import { isDuration, ownValue, parseDuration } from 'orch/sdk'
import { UsageError } from '../usage-error.js'

/** One option of a command. */
export interface FlagDefinition {
  readonly name: string
  /** One letter: `-o`. */
  readonly short?: string
  /** Other spellings, for hands that are used to them. */
  readonly aliases?: readonly string[]
  /** Under which name the command asks for it, where a flag of every command is called the same. */
  readonly key?: string
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
  /** The values, and what each of them names after commas. */
  items(name: string): readonly string[] {
    return this.list(name)
      .flatMap(value => value.split(','))
      .filter(item => item !== '')
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
  /** Those of the words that came after `--`. */
  readonly trailing: readonly string[]
  readonly flags: Flags
}

export function parseArguments(argv: readonly string[], definitions: readonly FlagDefinition[]): ParsedArguments {
  const named = new Map(
    definitions.flatMap(one => [one.name, ...(one.aliases ?? [])].map(name => [name, one] as const)),
  )
  const options = Object.fromEntries([...named].map(([name, one]) => [name, optionOf(name, one)]))
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const { tokens } = parseArgs({
    args: argv.map((word, index) => (index < end ? withLongName(word, definitions) : word)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words: string[] = []
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const definition = named.get(token.name)
    if (definition === undefined) throw new UsageError(`unknown flag ${token.rawName}; see --help`)
    const word = argv[token.index]
    if (definition.kind !== 'switch' && token.value === undefined)
      throw new UsageError(`${word} needs a value: ${word} ${definition.value ?? 'VALUE'}`)
    const value = definition.kind === 'switch' ? switchValue(definition, token.value) : (token.value ?? '')
    const key = definition.key ?? definition.name
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return { words, trailing: argv.slice(end + 1), flags: new Flags(values) }
}

const optionOf = (name: string, { name: main, kind, short }: FlagDefinition) => ({
  type: kind === 'switch' ? ('boolean' as const) : ('string' as const),
  ...(short !== undefined && name === main ? { short } : {}),
})

/** `-n=value` as `--name=value`: only long names may have an equals sign for `parseArgs`. */
function withLongName(word: string, definitions: readonly FlagDefinition[]): string {
  const [, letter, value] = /^-([^-])=(.*)$/s.exec(word) ?? []
  const definition = letter === undefined ? undefined : definitions.find(one => one.short === letter)
  return definition ? `--${definition.name}=${value}` : word
}

function switchValue({ name, words = {} }: FlagDefinition, value: string | undefined): string {
  if (value === undefined || value === 'true') return 'true'
  if (value === 'false') return 'false'
  const known = ownValue(words, value)
  if (known !== undefined) return known ? value : 'false'
  const allowed = ['true', 'false', ...Object.keys(words)].join(', ')
  throw new UsageError(`--${name} must be one of ${allowed}, not "${value}"`)
}

import { parseArgs } from 'node:util'
import { isDuration, ownValue, parseDuration } from 'orch/sdk'
import { nearest } from '../nearest.js'
import { UsageError } from '../usage-error.js'

/** One option of a command. */
export interface FlagDefinition {
  readonly name: string
  /** One letter: `-o`. */
  readonly short?: string
  /** Alternative names, for users of other clients. */
  readonly aliases?: readonly string[]
  /** The key under which the command reads it, if a global flag has the same name. */
  readonly key?: string
  /** A `list` may be repeated; a `switch` takes no value, but `--switch=false` works. */
  readonly kind: 'text' | 'list' | 'switch'
  /** The placeholder for the value in help: `FILE`. */
  readonly value?: string
  readonly description: string
  /** Values that a switch accepts after `=` besides true and false, and whether they turn it on. Those that do are stored as text. */
  readonly switchValues?: Readonly<Record<string, boolean>>
  /** Values to offer in completion. */
  readonly choices?: readonly string[]
}

/** The flags of a command line. */
export class Flags {
  readonly #values: ReadonlyMap<string, readonly string[]>
  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values
  }
  has(name: string): boolean {
    return this.#values.has(name)
  }
  /** The last value. */
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
  /** A non-negative integer. */
  number(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d+$/.test(text)) throw new UsageError(`--${name} must be a number, not "${text}"`)
    return Number(text)
  }
  /** The values, each split at commas. */
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
  /** One of a fixed set of values. */
  choice<W extends string>(name: string, choices: readonly W[]): W | undefined {
    const text = this.text(name)
    if (text === undefined || choices.includes(text as W)) return text as W | undefined
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${text}"`)
  }
}

/** Positional arguments and flags of a command line, in any order. Arguments after `--` are never flags. */
export interface ParsedArguments {
  readonly args: readonly string[]
  /** The arguments after `--`, which `args` contains, too. */
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
  const positional: string[] = []
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') positional.push(token.value)
    if (token.kind !== 'option') continue
    const definition = named.get(token.name)
    if (definition === undefined) throw unknownFlag(token.rawName, [...named.keys()])
    const word = argv[token.index]
    if (definition.kind !== 'switch' && token.value === undefined)
      throw new UsageError(`${word} needs a value: ${word} ${definition.value ?? 'VALUE'}`)
    const value = definition.kind === 'switch' ? switchValue(definition, token.value) : (token.value ?? '')
    const key = definition.key ?? definition.name
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return { args: positional, trailing: argv.slice(end + 1), flags: new Flags(values) }
}

function unknownFlag(flag: string, names: readonly string[]): UsageError {
  const meant = flag.startsWith('--') ? nearest(flag.slice(2), names) : undefined
  return new UsageError(`unknown flag ${flag}${meant ? `, did you mean --${meant}` : ''}; see --help`)
}

const optionOf = (name: string, { name: main, kind, short }: FlagDefinition) => ({
  type: kind === 'switch' ? ('boolean' as const) : ('string' as const),
  ...(short !== undefined && name === main ? { short } : {}),
})

/** Rewrites `-n=value` as `--name=value`, because `parseArgs` supports the equals sign only after long names. */
function withLongName(word: string, definitions: readonly FlagDefinition[]): string {
  const [, letter, value] = /^-([^-])=(.*)$/s.exec(word) ?? []
  const definition = letter === undefined ? undefined : definitions.find(one => one.short === letter)
  return definition ? `--${definition.name}=${value}` : word
}

function switchValue({ name, switchValues = {} }: FlagDefinition, value: string | undefined): string {
  if (value === undefined || value === 'true') return 'true'
  if (value === 'false') return 'false'
  const known = ownValue(switchValues, value)
  if (known !== undefined) return known ? value : 'false'
  const allowed = ['true', 'false', ...Object.keys(switchValues)].join(', ')
  throw new UsageError(`--${name} must be one of ${allowed}, not "${value}"`)
}

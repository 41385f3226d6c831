import type { Overload, Type } from '../../libs/cel/index.js'
import type { SeededRandom } from './seeded-random.js'

/** A variable or field that expressions can use, with its type. */
export interface Term {
  readonly text: string
  readonly type: Type
}

const maxDepth = 6
const scalars = ['int', 'double', 'string', 'bool', 'bytes', 'timestamp', 'duration', 'uint'] as const
const literals: Readonly<Record<string, readonly string[]>> = {
  null: ['null'],
  int: ['0', '1', '-1', '3', '100', '9223372036854775807'],
  uint: ['0u', '1u', '18446744073709551615u'],
  double: ['0.0', '1.5', '-1e308', '5e-324'],
  string: [
    '""',
    '"a"',
    '","',
    '"%s %d"',
    '"(.*a){50}"',
    '"[ab]*a[ab]{9}c"',
    '"a*?b|a"',
    '"9"',
    '"Africa/Cairo"',
    '"é🐎"',
  ],
  bool: ['true', 'false'],
  bytes: ["b''", "b'abc'"],
  timestamp: ['timestamp("2024-02-29T12:00:00.5Z")'],
  duration: ['duration("1h30m")'],
  dyn: ['dyn(1)', 'dyn("a")', 'dyn([1, 2])'],
  type: ['int', 'type("a")'],
}
/** The shortest expressions for types that only functions create. */
const makers: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.URL': ['url(self.s)', 'url("https://a:1/b?c=d")'],
  'kubernetes.Quantity': ['quantity(self.s)', 'quantity("1Ki")'],
  'kubernetes.Semver': ['semver(self.t)', 'semver("1.2.3")'],
  'kubernetes.Image': ['image(self.t)', 'image("a/b:c")'],
  'kubernetes.NamedFormat': ['format.uri()', 'format.dns1123Subdomain()', 'format.byte()'],
  'net.IP': ['ip(self.t)', 'ip("::1")'],
  'net.CIDR': ['cidr(self.t)', 'cidr("10.0.0.0/8")'],
}
const operators = new Set(['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', '&&', '||'])

/** Generates random expressions, mostly well-typed, from all functions. */
export class ExpressionMaker {
  readonly #random: SeededRandom
  readonly #terms: readonly Term[]
  readonly #functions: readonly (readonly [string, Overload])[]
  readonly #byResult = new Map<string, (readonly [string, Overload])[]>()
  #variables = 0

  constructor(random: SeededRandom, terms: readonly Term[], functions: readonly (readonly [string, Overload])[]) {
    this.#random = random
    this.#terms = terms
    this.#functions = functions.filter(([name]) => !name.startsWith('@') && !name.startsWith('cel.@'))
    for (const entry of this.#functions) {
      const key = keyOf(entry[1].result)
      const known = this.#byResult.get(key)
      if (known) known.push(entry)
      else this.#byResult.set(key, [entry])
    }
  }

  /** An expression that is true or false. */
  rule(): string {
    this.#variables = 0
    return this.#make({ kind: 'bool', name: 'bool', params: [] }, this.#random.between(2, maxDepth), this.#terms)
  }

  #make(type: Type, depth: number, terms: readonly Term[]): string {
    const random = this.#random
    const fitting = terms.filter(
      term => keyOf(term.type) === keyOf(type) || type.kind === 'dyn' || type.kind === 'param',
    )
    // Now and then a value of a wrong type.
    if (random.fraction() < 0.01) return random.pick(terms).text
    if (depth <= 0 || random.fraction() < 0.1) {
      if (fitting.length > 0 && random.fraction() < 0.7) return random.pick(fitting).text
      const written = makers[type.name] ?? literals[type.kind]
      if (written) return random.pick(written)
      if (type.kind === 'list') return `[${depth > -3 ? this.#make(type.params[0]!, depth - 1, terms) : ''}]`
      if (type.kind === 'map') return '{}'
      if (type.name === 'optional_type') return 'optional.none()'
      // There are no values of other types, such as authorizers: the program is ill-typed.
      return 'self.x'
    }
    if (type.kind === 'list' && random.fraction() < 0.5) return this.#list(type.params[0]!, depth, terms)
    if (type.kind === 'map' && random.fraction() < 0.5)
      return `{${this.#make(type.params[0]!, depth - 2, terms)}: ${this.#make(type.params[1]!, depth - 1, terms)}}`
    if (type.kind === 'bool' && random.fraction() < 0.35) return this.#quantifier(depth, terms)
    if (random.fraction() < 0.08)
      return `(${this.#make(bool, depth - 1, terms)} ? ${this.#make(type, depth - 1, terms)} : ${this.#make(type, depth - 1, terms)})`
    const candidates = this.#byResult.get(keyOf(type)) ?? []
    if (candidates.length > 0) return this.#call(random.pick(candidates), depth, terms)
    if (fitting.length > 0) return random.pick(fitting).text
    if (type.kind === 'list') return this.#list(type.params[0]!, depth, terms)
    if (type.name === 'optional_type') return `optional.of(${this.#make(type.params[0]!, depth - 1, terms)})`
    return random.pick(literals[type.kind] ?? ['1'])
  }

  #call([name, { params, isMethod }]: readonly [string, Overload], depth: number, terms: readonly Term[]): string {
    const bound = new Map<string, Type>()
    const args = params.map(param => this.#make(this.#concrete(param, bound), depth - 1, terms))
    const [first, second, third] = args
    const symbol = name.replaceAll('_', '')
    if (operators.has(symbol)) return args.length === 1 ? `(${symbol}${first})` : `(${first} ${symbol} ${second})`
    switch (name) {
      case '_[_]':
        return `${first}[${second}]`
      case '_[?_]':
        return `${first}[?${second}]`
      case '_?._':
        return `${first}.?s`
      case '!_':
        return `!${first}`
      case '_?_:_':
        return `(${first} ? ${second} : ${third})`
    }
    return isMethod ? `${first}.${name}(${args.slice(1).join(', ')})` : `${name}(${args.join(', ')})`
  }

  /** The type with its parameters chosen. */
  #concrete(type: Type, bound: Map<string, Type>): Type {
    if (type.kind !== 'param')
      return type.params.length === 0
        ? type
        : { ...type, params: type.params.map(param => this.#concrete(param, bound)) }
    let chosen = bound.get(type.name)
    if (!chosen) {
      const kind = this.#random.pick(scalars)
      const plain: Type = { kind, name: kind, params: [] }
      chosen = this.#random.fraction() < 0.4 ? { kind: 'list', name: 'list', params: [plain] } : plain
      bound.set(type.name, chosen)
    }
    return chosen
  }

  #list(item: Type, depth: number, terms: readonly Term[]): string {
    const random = this.#random
    const variable = `v${this.#variables++}`
    switch (random.between(0, 6)) {
      case 0:
        return `[${this.#make(item, depth - 1, terms)}].map(${variable}, [${Array.from({ length: 10 }, () => variable).join(', ')}])[0]`
      case 1: {
        const from = random.pick(terms.filter(({ type }) => type.kind === 'list'))
        const inner = [...terms, { text: variable, type: from.type.params[0]! }]
        return `${from.text}.map(${variable}, ${this.#make(item, depth - 1, inner)})`
      }
      case 2: {
        const whole: Type = { kind: 'list', name: 'list', params: [item] }
        const inner = [...terms, { text: variable, type: item }]
        return `${this.#make(whole, depth - 1, terms)}.filter(${variable}, ${this.#make(bool, depth - 1, inner)})`
      }
      default:
        return `[${Array.from({ length: random.between(0, 4) }, () => this.#make(item, depth - 1, terms)).join(', ')}]`
    }
  }

  #quantifier(depth: number, terms: readonly Term[]): string {
    const from = this.#random.pick(terms.filter(({ type }) => type.kind === 'list' || type.kind === 'map'))
    const variable = `v${this.#variables++}`
    const inner = [...terms, { text: variable, type: from.type.params[0]! }]
    const macro = this.#random.pick(['all', 'exists', 'exists_one'])
    return `${from.text}.${macro}(${variable}, ${this.#make(bool, depth - 1, inner)})`
  }
}

const bool: Type = { kind: 'bool', name: 'bool', params: [] }
const keyOf = ({ kind, name, params }: Type): string => `${kind} ${name} ${params.map(param => param.kind).join()}`

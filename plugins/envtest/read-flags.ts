import { type ReferenceFlag, referenceFlags } from './reference-flags.js'

/** The flags of kube-apiserver. */
export interface GivenFlags {
  /** The values of each flag, in the order they were given. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** Flags without an effect, once each. */
  readonly meaningless: readonly string[]
}

/** An invalid command line; the message is one line. */
export class FlagError extends Error {}

/** Reads `--flag=value`, `--flag value` and `--switch`, with one dash or two. Throws for a flag that the reference has never had. */
export function readFlags(argv: readonly string[]): GivenFlags {
  const known = referenceFlags()
  const values = new Map<string, string[]>()
  const meaningless = new Set<string>()
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    // Empty arguments, which come from templates, are ignored.
    if (word === '') continue
    const [, written, equals, text = ''] = /^--?([A-Za-z][\w-]*)(=?)(.*)$/s.exec(word) ?? []
    if (written === undefined) throw new FlagError(`"${word}" is not a flag: values follow the name of a flag`)
    const name = written.replaceAll('_', '-')
    const flag = known.get(name)
    if (!flag) throw new FlagError(`unknown flag: --${written}`)
    const value = equals === '=' ? text : flag.kind === 'switch' ? 'true' : argv[++at]
    if (value === undefined) throw new FlagError(`flag needs an argument: --${written}`)
    add(values, flag, value)
    if (flag.use === 'meaningless') meaningless.add(`--${name}`)
  }
  return { values, meaningless: [...meaningless] }
}

function add(values: Map<string, string[]>, { name }: ReferenceFlag, value: string): void {
  const given = values.get(name)
  if (given) given.push(value)
  else values.set(name, [value])
}

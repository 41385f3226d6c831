import { globalFlags } from './arguments/global-flags.js'
import type { Command } from './command.js'
import { UsageError } from './usage-error.js'

/** The command and the remaining arguments; or the group (`config`, or none) that needs a subcommand. */
export type FoundCommand =
  | { readonly command: Command; readonly rest: readonly string[] }
  | { readonly group: string; readonly isAsked: boolean }

/** Finds the command. Global flags may come before its name. */
export function findCommand(argv: readonly string[], commands: readonly Command[]): FoundCommand {
  const [at, first] = nextArgument(argv, 0)
  const asksForHelp = first === 'help' || argv.some(word => word === '--help' || word === '-h')
  if (first === undefined) return { group: '', isAsked: asksForHelp }
  if (first === 'help') {
    const rest = without(argv, at)
    return rest.length === 0 ? { group: '', isAsked: true } : findCommand([...rest, '--help'], commands)
  }
  const [nextAt, second] = nextArgument(argv, at + 1)
  const pair = commands.find(({ name, aliases = [] }) => [name, ...aliases].includes(`${first} ${second}`))
  const single = commands.find(({ name }) => name === first)
  // `create -f token` reads a file; only `create token` is the other command.
  if (pair && (!single || nextAt === at + 1)) return { command: pair, rest: without(argv, at, nextAt) }
  if (single) return { command: single, rest: without(argv, at) }
  if (!commands.some(({ name }) => name.startsWith(`${first} `)))
    throw new UsageError(`there is no command "${first}"${nearest(first, commands)}; \`orchctl help\` lists them`)
  if (second !== undefined)
    throw new UsageError(`there is no command "${first} ${second}"; \`orchctl ${first}\` lists what there is`)
  return { group: first, isAsked: asksForHelp }
}

/** The next argument that is neither a flag nor the value of a global flag. */
function nextArgument(argv: readonly string[], from: number): [number, string | undefined] {
  for (let at = from; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (!word.startsWith('-')) return [at, word]
    const takesNext = globalFlags.some(
      ({ name, short, kind }) => kind !== 'switch' && (word === `--${name}` || (short && word === `-${short}`)),
    )
    if (takesNext) at++
  }
  return [argv.length, undefined]
}

const without = (argv: readonly string[], ...places: readonly number[]) =>
  argv.filter((_, index) => !places.includes(index))

function nearest(word: string, commands: readonly Command[]): string {
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name.split(' ')[0] ?? '')
  const close = names.find(name => distance(name, word) <= 2)
  return close === undefined ? '' : `, did you mean "${close}"`
}

/** The Levenshtein distance. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++)
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1),
      )
    previous = current
  }
  return previous[right.length] ?? 0
}

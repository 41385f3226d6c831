import { globalFlags } from './arguments/global-flags.js'
import type { Command } from './command.js'
import { nearest } from './nearest.js'
import { UsageError } from './usage-error.js'

/** The command and the remaining arguments; or the group (`config`, or none) that needs a subcommand. */
export type FoundCommand =
  | { readonly command: Command; readonly rest: readonly string[] }
  | { readonly group: string; readonly isRequested: boolean }

/** The most words that the name of a command has: `create service clusterip`. */
const longestName = 3

/** Finds the command. Global flags may come before its name. */
export function findCommand(argv: readonly string[], commands: readonly Command[]): FoundCommand {
  const words = wordsOf(argv)
  const [first] = words
  const asksForHelp = first?.word === 'help' || argv.some(word => word === '--help' || word === '-h')
  if (first === undefined) return { group: '', isRequested: asksForHelp }
  if (first.word === 'help') {
    const rest = without(argv, [first.at])
    return rest.length === 0 ? { group: '', isRequested: true } : findCommand([...rest, '--help'], commands)
  }
  let shorter: FoundCommand | undefined
  let group = ''
  for (let count = 1; count <= Math.min(longestName, words.length); count++) {
    const name = spelledOut(words.slice(0, count))
    // `create -f token` reads a file; only `create token` is the other command.
    const isAdjacent = words[count - 1]?.at === (words[count - 2]?.at ?? -1) + 1
    if (shorter !== undefined && !isAdjacent) break
    const command = commands.find(one => [one.name, ...(one.aliases ?? [])].includes(name))
    const places = words.slice(0, count).map(({ at }) => at)
    if (command) shorter = { command, rest: without(argv, places) }
    if (commands.some(one => one.name.startsWith(`${name} `))) group = name
  }
  if (shorter !== undefined && !isLongerGroup(group, shorter)) return shorter
  if (group === '') throw unknownCommand(first.word, commands)
  const next = words[group.split(' ').length]
  if (next === undefined) return { group, isRequested: asksForHelp }
  const others = commands.flatMap(({ name, hidden }) =>
    name.startsWith(`${group} `) && !hidden ? [name.slice(group.length + 1)] : [],
  )
  const meant = nearest(next.word, others)
  throw new UsageError(
    `there is no command "${group} ${next.word}"${meant ? `, did you mean "${group} ${meant}"` : ''}; \`orchctl ${group}\` lists what there is`,
  )
}

/** `create service` is a group although `create` is a command. */
const isLongerGroup = (group: string, found: FoundCommand) =>
  'command' in found && group.split(' ').length > found.command.name.split(' ').length && group.includes(' ')

interface Word {
  readonly at: number
  readonly word: string
}
const spelledOut = (words: readonly Word[]) => words.map(({ word }) => word).join(' ')

/** The first arguments that are neither flags nor values of global flags. */
function wordsOf(argv: readonly string[]): Word[] {
  const words: Word[] = []
  for (let at = 0; at < argv.length && words.length < longestName; at++) {
    const word = argv[at] ?? ''
    if (word === '--') break
    if (!word.startsWith('-')) words.push({ at, word })
    else if (takesNext(word)) at++
  }
  return words
}
const takesNext = (word: string) =>
  globalFlags.some(
    ({ name, short, kind }) => kind !== 'switch' && (word === `--${name}` || (short && word === `-${short}`)),
  )

const without = (argv: readonly string[], places: readonly number[]) =>
  argv.filter((_, index) => !places.includes(index))

/** No command has this name. A plugin may. */
export class UnknownCommandError extends UsageError {}

function unknownCommand(word: string, commands: readonly Command[]): UnknownCommandError {
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name.split(' ')[0] ?? '')
  const meant = nearest(word, names)
  return new UnknownCommandError(
    `there is no command "${word}"${meant ? `, did you mean "${meant}"` : ''}; \`orchctl help\` lists them`,
  )
}

import type { FlagDefinition } from './arguments/flags.js'
import { globalFlags } from './arguments/global-flags.js'
import type { Command } from './command.js'
import { lineWidth, wrapText } from './output/wrap-text.js'

const program = 'orchctl'

/** The output of `orchctl` without a command. */
export function programHelp(commands: readonly Command[]): string {
  return [
    `${program} works with any server of this API.`,
    '',
    'Commands:',
    ...columns(shown(commands).map(({ name, summary }) => [name, summary])),
    '',
    sharedFlagsHelp(),
    `\`${program} help COMMAND\` explains a command and shows examples.`,
    '',
  ].join('\n')
}

/** The output of `orchctl options`. */
export const sharedFlagsHelp = (): string =>
  ['Flags of every command:', ...columns(globalFlags.map(flagRow)), ''].join('\n')

/** The output of `orchctl config`. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  const members = shown(commands).filter(({ name }) => name.startsWith(`${group} `))
  return [
    `${program} ${group} needs a subcommand:`,
    ...columns(members.map(({ name, summary }) => [name, summary])),
    '',
  ].join('\n')
}

/** The output of `orchctl help get`. */
export function commandHelp({ name, summary, usage, examples, flags }: Command): string {
  return [
    ...wrapText(summary, lineWidth),
    '',
    ...wrapText(`Usage: ${program} ${name} ${usage}`.trimEnd(), lineWidth - 4).map((line, index) =>
      index === 0 ? line : `    ${line}`,
    ),
    '',
    'Examples:',
    ...examples.flatMap(([comment, line]) => [`  # ${comment}`, `  ${program} ${line}`]),
    ...(flags.length === 0 ? [] : ['', 'Flags:', ...columns(flags.map(flagRow))]),
    '',
    `\`${program} options\` lists the flags of every command.`,
    '',
  ].join('\n')
}

const shown = (commands: readonly Command[]) => commands.filter(({ hidden }) => !hidden)
const flagRow = ({ name, short, kind, value, description }: FlagDefinition) => [
  `${short === undefined ? '    ' : `-${short}, `}--${name}${kind === 'switch' ? '' : ` ${value ?? 'VALUE'}`}`,
  kind === 'list' ? `${description} (may be repeated)` : description,
]
function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return rows.flatMap(([left = '', right = '']) => {
    const [first = '', ...rest] = wrapText(right, lineWidth - width - 4)
    return [`  ${left.padEnd(width)}  ${first}`.trimEnd(), ...rest.map(line => ' '.repeat(width + 4) + line)]
  })
}

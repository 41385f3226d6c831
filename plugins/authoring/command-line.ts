import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { CommandContext } from 'orch/sdk'

type Options = NonNullable<ParseArgsConfig['options']>

/** Positional arguments and flags of a command. `problem` is the first unknown flag, or the first without its value. */
export function readCommandLine<O extends Options>(argv: readonly string[], options: O) {
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const unknown = tokens.find(token => token.kind === 'option' && !Object.hasOwn(options, token.name))
  const empty = Object.keys(values).find(
    name => options[name]?.type === 'string' && typeof (values as Record<string, unknown>)[name] !== 'string',
  )
  const problem =
    unknown?.kind === 'option'
      ? `has no flag ${unknown.rawName}`
      : empty === undefined
        ? undefined
        : `needs a value for --${empty}`
  return { values: values as ReturnType<typeof parseArgs<{ options: O }>>['values'], positionals, problem }
}

/** Prints why a command cannot run, and returns its exit code. */
export function refuse({ err }: CommandContext, why: string, code = 2): number {
  err(`orch: ${why}. See orch help.\n`)
  return code
}

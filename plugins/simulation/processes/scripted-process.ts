import type { CommandRule } from '../running/behavior.js'
import { fillIn } from '../running/container-facts.js'
import { isLike, msOf } from '../running/find-behavior.js'
import { type CommandWorld, copy, pause, write } from './command.js'

/** The first rule that matches a command. */
export const ruleFor = (command: readonly string[], rules: readonly CommandRule[] = []): CommandRule | undefined =>
  rules.find(rule => isAbout(command, rule.command))

function isAbout(command: readonly string[], pattern: readonly string[] | undefined): boolean {
  if (!pattern) return true
  const isOpen = pattern.at(-1) === '*'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? command.length < fixed.length : command.length !== fixed.length) return false
  return fixed.every((part, i) => isLike(command[i] ?? '', part))
}

/** Runs a command as its rule describes. */
export async function runScripted(
  { stdout, stderr, echo, after, exitCode = 0 }: CommandRule,
  { input, output, error, signal }: CommandWorld,
  values: Readonly<Record<string, string>>,
): Promise<number> {
  if (!echo) input.resume()
  await pause(msOf(after), signal)
  if (stdout !== undefined) await write(output, fillIn(stdout, values))
  if (stderr !== undefined) await write(error, fillIn(stderr, values))
  if (echo) await copy(input, output)
  return exitCode
}

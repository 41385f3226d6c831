import { loadClientConfig } from 'orch/sdk/client'
import { type FlagDefinition, Flags, parseArguments } from '../../arguments/flags.js'
import { flagsOf } from '../../arguments/global-flags.js'
import type { Command } from '../../command.js'
import { findCommand } from '../../find-command.js'
import { preferred } from '../../objects/targets.js'
import { configSource } from '../../session/config-file-changes.js'
import { openSession, type Session } from '../../session/session.js'
import type { Terminal } from '../../terminal.js'

/** Candidates for the argument `current` after these arguments. Lookups that fail yield none. */
export async function candidatesFor(
  before: readonly string[],
  current: string,
  commands: readonly Command[],
  terminal: Terminal,
  version: string,
): Promise<string[]> {
  const command = commandOf(before, commands)
  if (command === undefined) return commandWords(before, commands)
  const more = current.startsWith('-') || before.length > 2 ? [] : commandWords(before, commands)
  const definitions = flagsOf(command)
  const [flag, value] = pendingFlag(before, current, definitions)
  const { args, flags } = parseLeniently(flag && value === '' ? before.slice(0, -1) : before, command, definitions)
  if (flag === undefined && current.startsWith('-')) return definitions.map(({ name }) => `--${name}`)
  const sources = new Sources(flags, terminal, version)
  try {
    if (flag !== undefined) return (await sources.valuesOf(flag)).map(one => value + one)
    return [...more, ...(await sources.wordsOf(command, args, current))]
  } catch {
    return more
  } finally {
    await sources.close()
  }
}

function commandOf(before: readonly string[], commands: readonly Command[]): Command | undefined {
  try {
    const found = findCommand(before, commands)
    return 'command' in found ? found.command : undefined
  } catch {
    return undefined
  }
}

/** The words that may come next in the name of a command. */
function commandWords(before: readonly string[], commands: readonly Command[]): string[] {
  const start = before.filter(word => !word.startsWith('-'))
  return commands
    .filter(({ hidden }) => !hidden)
    .map(({ name }) => name.split(' '))
    .filter(words => words.length > start.length && start.every((word, index) => words[index] === word))
    .map(words => words[start.length] ?? '')
}

/** The flag whose value is being typed, and the part of the current argument before that value. */
function pendingFlag(
  before: readonly string[],
  current: string,
  definitions: readonly FlagDefinition[],
): [FlagDefinition | undefined, string] {
  const named = /^--[^=]+=/.exec(current)?.[0]
  if (named !== undefined) return [definitions.find(({ name }) => `--${name}=` === named), named]
  const last = before.at(-1) ?? ''
  const flag = definitions.find(
    ({ name, short, kind }) =>
      kind !== 'switch' && (last === `--${name}` || (short !== undefined && last === `-${short}`)),
  )
  return [flag, '']
}

/** Parses an incomplete command line; no arguments and no flags if that fails. */
function parseLeniently(before: readonly string[], { name }: Command, definitions: readonly FlagDefinition[]) {
  try {
    const { args, flags } = parseArguments(before, definitions)
    return { args: args.slice(name.split(' ').length), flags }
  } catch {
    return { args: [], flags: new Flags(new Map()) }
  }
}

/** Looks up names in the client config and on the server. */
class Sources {
  readonly #flags: Flags
  readonly #terminal: Terminal
  readonly #version: string
  #session: Promise<Session> | undefined
  constructor(flags: Flags, terminal: Terminal, version: string) {
    this.#flags = flags
    this.#terminal = terminal
    this.#version = version
  }
  async valuesOf({ name, choices }: FlagDefinition): Promise<readonly string[]> {
    if (choices !== undefined) return choices.map(choice => choice.replace(/=[A-Z]+$/, '='))
    if (name === 'namespace') return this.#names('namespaces')
    const config = await loadClientConfig(configSource({ flags: this.#flags, terminal: this.#terminal }))
    if (name === 'context') return [...config.contexts.keys()]
    if (name === 'cluster') return [...config.clusters.keys()]
    return name === 'user' ? [...config.users.keys()] : []
  }
  async wordsOf({ completes = 'objects' }: Command, args: readonly string[], current: string): Promise<string[]> {
    if (completes === 'nothing') return []
    if (completes === 'contexts')
      return [
        ...(await loadClientConfig(configSource({ flags: this.#flags, terminal: this.#terminal }))).contexts.keys(),
      ]
    if (typeof completes !== 'string') return args.length === 0 ? [...completes] : this.#types('')
    if (completes === 'nodes' || (completes === 'pods' && !current.includes('/'))) return this.#names(completes)
    const slash = current.indexOf('/')
    if (slash > 0) return (await this.#names(current.slice(0, slash))).map(name => current.slice(0, slash + 1) + name)
    const [type] = args
    if (type === undefined) return this.#types(current.slice(0, current.lastIndexOf(',') + 1))
    return completes === 'types' ? [] : this.#names(type)
  }
  async close(): Promise<void> {
    await this.#session?.then(session => session.close()).catch(() => {})
  }
  #connect(): Promise<Session> {
    return (this.#session ??= openSession(this.#flags, this.#terminal, this.#version))
  }
  async #types(before: string): Promise<string[]> {
    const kinds = await (await this.#connect()).kinds()
    return preferred(kinds).map(({ resource }) => before + resource)
  }
  async #names(type: string): Promise<string[]> {
    const session = await this.#connect()
    const kind = (await session.kinds()).findByName(type)
    if (!kind) return []
    const { items } = await session
      .collection<{ metadata: { name: string } }>(kind, session.namespace)
      .list({ limit: 500 })
    return items.map(({ metadata }) => metadata.name)
  }
}

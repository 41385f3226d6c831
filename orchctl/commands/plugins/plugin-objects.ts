import type { ApiObject } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { Call } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { UsageError } from '../../usage-error.js'

/** A plugin of a running server, as far as these commands write and read it. */
export interface PluginObject extends ApiObject {
  spec?: PluginSpec
  status?: {
    readonly observedGeneration?: number
    readonly conditions?: readonly PluginCondition[]
    readonly lastError?: { readonly message: string; readonly stack?: string }
  }
}
interface PluginCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly observedGeneration?: number
}
export interface PluginSpec {
  readonly package?: string
  readonly integrity?: string | null
  readonly signature?: string | null
  readonly options?: Readonly<Record<string, unknown>> | null
  readonly isolation?: string | null
  readonly permissions?: readonly string[] | null
  readonly enabled?: boolean
  readonly reload?: string
}

export interface PluginObjects {
  readonly apiVersion: string
  /** The name of the type for `get` and `describe`. */
  readonly type: string
  readonly plugins: ResourceClient<PluginObject>
  /** The annotation with the spec from before the last upgrade. */
  readonly previous: string
}

/** The plugins of the server. */
export async function pluginObjects(call: Call): Promise<PluginObjects> {
  const session = await call.session()
  const vendor = await session.vendor()
  const group = vendor.group('plugins')
  const kind = (await session.kinds()).findResource(group, 'plugins')
  if (!kind) throw new UsageError('this server cannot install plugins: start it with --plugin-folder')
  return {
    apiVersion: `${group}/${kind.version}`,
    type: `plugins.${group}`,
    plugins: session.client.resource<PluginObject>(kind),
    previous: vendor.qualify('previous', 'plugins'),
  }
}

/** The only argument of the command: the name of a plugin. */
export function oneName({ args }: Call): string {
  const [name, ...more] = args
  if (name === undefined || more.length > 0) throw new UsageError('name one plugin')
  return name
}

/** Waits until the server has acted on an object, and reports the outcome. */
export async function reportOutcome(
  { terminal, flags }: Call,
  { plugins }: PluginObjects,
  written: PluginObject,
  done: string,
): Promise<number> {
  const { name = '', generation = 0 } = written.metadata
  const isSeen = ({ status }: PluginObject) => (status?.observedGeneration ?? 0) >= generation
  const timeoutMs = flags.durationMs('timeout')
  const { status } = await plugins.waitFor(name, isSeen, timeoutMs === undefined ? {} : { timeoutMs })
  if (!status?.lastError) {
    terminal.write(`plugin/${name} ${done}\n`)
    return exitCodes.done
  }
  const { message, stack } = status.lastError
  terminal.log(`error: plugin/${name} is not ${done}: ${message}`)
  if (stack !== undefined && stack !== '') terminal.log(stack)
  return exitCodes.failed
}

/** The values of `--option color=red`. A value that is valid JSON is parsed: numbers, lists, true. */
export function optionsOf({ flags }: Call): Readonly<Record<string, unknown>> | undefined {
  const pairs = flags.list('option').map((pair): [string, unknown] => {
    const at = pair.indexOf('=')
    if (at <= 0) throw new UsageError(`--option must be NAME=VALUE, not "${pair}"`)
    return [pair.slice(0, at), optionValue(pair.slice(at + 1))]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

function optionValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

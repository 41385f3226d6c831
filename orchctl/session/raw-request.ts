import type { FlagDefinition } from '../arguments/flags.js'
import type { Call } from '../command.js'
import { readFile } from '../read-file.js'
import { UsageError } from '../usage-error.js'

export const rawFlag = (description: string): FlagDefinition => ({
  name: 'raw',
  kind: 'text',
  value: 'PATH',
  description,
})

/** Sends a request to any path of the server and prints the answer unchanged. The body comes from the only `-f`. */
export async function rawRequest(call: Call, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string): Promise<void> {
  const { flags, terminal, args } = call
  if (!path.startsWith('/')) throw new UsageError(`--raw needs a path that starts with /, not "${path}"`)
  if (args.length > 0) throw new UsageError('--raw names a path: leave out other arguments')
  const files = flags.list('filename')
  if (method !== 'GET' && method !== 'DELETE' && files.length !== 1)
    throw new UsageError('--raw needs one -f FILE: the body')
  const [file] = files
  const text =
    file === undefined ? undefined : file === '-' ? await terminal.readInput() : readFile(file).toString('utf8')
  const headers: Record<string, string> =
    text === undefined ? {} : { 'content-type': /^\s*[[{]/.test(text) ? 'application/json' : 'application/yaml' }
  const body = text === undefined ? {} : { body: text }
  const answer = await (await call.session()).client.request({ method, path, headers, ...body })
  terminal.write(typeof answer === 'string' ? answer : `${JSON.stringify(answer)}\n`)
}

import { spawn } from 'node:child_process'
import type { Credential, CredentialSource } from '../client/credentials.js'
import type { Clock } from '../plugin/basic-services.js'
import type { Vendor } from '../plugin/vendor.js'
import { ApiError } from '../resource/api-errors.js'
import type { ExecEntry } from './config-file.js'
import { type ExecAnswer, execRequest, readExecAnswer } from './exec-protocol.js'

/** The settings for running a credential plugin. */
export interface ExecCredentialOptions {
  readonly exec: ExecEntry
  readonly vendor: Vendor
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Information about the server for the plugin; only with provideClusterInfo. */
  readonly cluster: Readonly<Record<string, unknown>>
  /** Is standard input a terminal? */
  readonly isTerminal: boolean
}

/** The maximum output of a plugin; certificates and tokens are far shorter. */
const maxAnswerBytes = 1 << 20

/**
 * Credentials from a program. They are used until they expire, until the server refuses them, or, without an expiry,
 * until this process ends. Requests that are sent while it runs wait for the same run.
 */
export function execCredential(options: ExecCredentialOptions): CredentialSource {
  const { clock } = options
  let cached: ExecAnswer | undefined
  let running: Promise<ExecAnswer> | undefined
  const isFresh = ({ expiresAt }: ExecAnswer) => expiresAt === undefined || clock.now() < expiresAt
  return {
    async current() {
      if (cached && isFresh(cached)) return cached.credential
      running ??= runPlugin(options).finally(() => {
        running = undefined
      })
      cached = await running
      return cached.credential
    },
    async refused(credential) {
      // Another request may have fetched a new one meanwhile, which was not refused.
      if (cached?.credential === credential) cached = undefined
      return true
    },
  }
}

async function runPlugin({
  exec,
  vendor,
  environment,
  cluster,
  isTerminal,
}: ExecCredentialOptions): Promise<ExecAnswer> {
  const { command = '', args = [], apiVersion = '', interactiveMode = 'IfAvailable' } = exec
  try {
    if (interactiveMode === 'Always' && !isTerminal)
      throw new Error('exec plugin cannot support interactive mode: standard input is not a terminal')
    const isInteractive = interactiveMode !== 'Never' && isTerminal
    const request = execRequest(apiVersion, isInteractive, exec.provideClusterInfo ? cluster : undefined)
    const env = {
      ...environment,
      ...Object.fromEntries((exec.env ?? []).map(({ name = '', value = '' }) => [name, value])),
      [vendor.profile.env.execInfo]: request,
    }
    return readExecAnswer(await outputOf(command, args, env, isInteractive), exec)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' || code === 'EACCES'
    const hint = isMissing && exec.installHint ? `\n\n${exec.installHint}` : ''
    const what = isMissing ? `executable ${command} not found` : message
    throw new ApiError(401, 'Unauthorized', `getting credentials: exec: ${what}${hint}`, undefined, { cause: error })
  }
}

/** The output of a program. Its stderr is inherited, so that the user sees it. */
function outputOf(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  isInteractive: boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env, stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'] })
    const chunks: Buffer[] = []
    let length = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= maxAnswerBytes) return
      child.kill()
      reject(new Error(`executable ${command} printed more than ${maxAnswerBytes} bytes`))
    })
    child.on('error', reject)
    child.on('close', (exitCode, signal) => {
      if (exitCode === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else
        reject(new Error(`executable ${command} failed with ${signal ? `signal ${signal}` : `exit code ${exitCode}`}`))
    })
  })
}

/** The credentials of two sources; the second takes precedence. */
export function combined(first: CredentialSource, second: CredentialSource): CredentialSource {
  const parts = new WeakMap<Credential, readonly [Credential, Credential]>()
  return {
    async current() {
      const both = [await first.current(), await second.current()] as const
      const credential = { ...both[0], ...both[1] }
      parts.set(credential, both)
      return credential
    },
    async refused(credential) {
      const both = parts.get(credential)
      if (both === undefined) return false
      const answers = await Promise.all([first.refused(both[0]), second.refused(both[1])])
      return answers.includes(true)
    },
  }
}

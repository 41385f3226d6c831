import { spawn } from 'node:child_process'
import { ApiError, type Clock, type Condition, type Logger, timestampOf } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { Plugin } from './plugins/schema.js'

export interface CheckParts {
  readonly plugins: ResourceClient<Plugin>
  readonly clock: Clock
  readonly logger: Logger
  /** The command line of the server; without one, nothing is checked. */
  readonly program: readonly string[] | undefined
}

/** A time limit: the kit makes many requests. */
const limitMs = 10 * 60_000
/** Longer reports are truncated. */
const maxText = 4096
const maxOutput = 16 * 1024 * 1024

interface Report {
  readonly passed: number
  readonly failed: number
  readonly results: readonly { subject: string; title: string; outcome: string; message?: string }[]
}

/**
 * Runs the conformance kit on a plugin when `spec.check` changes, and writes the condition
 * `Conforming`. The kit creates and deletes objects, so it runs in a separate process with a server of its own, never
 * in the server that is in use.
 */
export class ConformanceChecks {
  readonly #parts: CheckParts
  readonly #ending = new AbortController()

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  close(): void {
    this.#ending.abort()
  }

  /**
   * Starts a check unless it was already made, or another server makes it: the first server to write that the check is
   * running makes it.
   */
  async begin(object: Plugin, entry: string): Promise<void> {
    const { program, logger } = this.#parts
    const { check = '' } = object.spec ?? {}
    if (!program || check === '' || object.status?.checked === check) return
    const isOurs = await this.#write(object, check, ['Unknown', 'Checking', 'The conformance kit is running.'])
    if (!isOurs) return
    void this.#run(object, check, entry, program).catch(error =>
      logger.error('the conformance check of a plugin could not be recorded', { object: object.metadata?.name, error }),
    )
  }

  async #run(object: Plugin, check: string, entry: string, program: readonly string[]): Promise<void> {
    const verdict = await this.#verdictOn(entry, program)
    for (;;) {
      const now = await this.#parts.plugins.find(object.metadata?.name ?? '')
      if (now?.metadata?.uid !== object.metadata?.uid || now?.status?.checked !== check) return
      if (await this.#write(now, check, verdict)) return
    }
  }

  async #verdictOn(entry: string, program: readonly string[]): Promise<readonly [string, string, string]> {
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(limitMs)])
    try {
      const { passed, failed, results }: Report = JSON.parse(
        await outputOf([...program, 'conformance', entry, '--json'], signal),
      )
      if (failed === 0) return ['True', 'Passed', `${passed} checks of the conformance kit passed.`]
      const named = results
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ subject, title, message = '' }) => `${subject}: ${title}: ${message}`)
      return ['False', 'Failed', `${failed} checks failed, ${passed} passed. ${named.join('\n')}`.slice(0, maxText)]
    } catch (error) {
      return ['Unknown', 'NotChecked', `The conformance kit could not be run: ${error}`.slice(0, maxText)]
    }
  }

  /** False if another server wrote first. */
  async #write(
    object: Plugin,
    checked: string,
    [status, reason, message]: readonly [string, string, string],
  ): Promise<boolean> {
    const condition: Condition = {
      type: 'Conforming',
      status,
      reason,
      message,
      observedGeneration: object.metadata?.generation ?? 0,
      lastTransitionTime: timestampOf(this.#parts.clock.now()),
    }
    const others = (object.status?.conditions ?? []).filter(({ type }) => type !== condition.type)
    try {
      const updated = { ...object.status, checked, conditions: [...others, condition] }
      await this.#parts.plugins.updateSubresource('status', { ...object, status: updated })
      return true
    } catch (error) {
      if (error instanceof ApiError && (error.code === 409 || error.code === 404)) return false
      throw error
    }
  }
}

/** The output of a program, whatever its exit code: the report lists failed checks. */
function outputOf([command = '', ...words]: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], signal })
    let [output, complaint] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (output.length > maxOutput) child.kill()
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-maxText)))
    child.once('error', reject)
    child.once('close', code => {
      if (output === '') reject(new Error(complaint.trim() || `it exited with code ${code}`))
      else resolve(output)
    })
  })
}

import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, defineService, services, serviceToken } from 'orch/sdk'

/** How long a link is valid. */
const codeLifeMs = 10 * 60_000

/**
 * Codes that are valid for one sign-in. Each is a file in the data folder, named by a hash, so that all processes of a server
 * share them, no code can be read from the folder, and removing the file uses up the code.
 */
export class OneTimeCodes {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'now'>

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder
    this.#clock = clock
  }

  /** The codes of a server, by its data folder. */
  static in(dataDir: string, clock: Pick<Clock, 'now'>): OneTimeCodes {
    return new OneTimeCodes(join(dataDir, 'console-codes'), clock)
  }

  issue(): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(this.#folder)) if (this.#expiresAt(name) <= this.#clock.now()) this.#remove(name)
    const code = randomBytes(24).toString('base64url')
    writeFileSync(join(this.#folder, hashOf(code)), String(this.#clock.now() + codeLifeMs), { mode: 0o600 })
    return code
  }

  /** Is this a valid code? The call uses it up. */
  use(code: string): boolean {
    const name = hashOf(code)
    const expiresAt = this.#expiresAt(name)
    return this.#remove(name) && expiresAt > this.#clock.now()
  }

  #expiresAt(name: string): number {
    try {
      return Number(readFileSync(join(this.#folder, name), 'utf8')) || 0
    } catch {
      return 0
    }
  }
  /** Of concurrent attempts, only one succeeds. */
  #remove(name: string): boolean {
    try {
      unlinkSync(join(this.#folder, name))
      return true
    } catch {
      return false
    }
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')

export const oneTimeCodesToken = serviceToken<OneTimeCodes>('console-one-time-codes')
export const oneTimeCodes = defineService({
  token: oneTimeCodesToken,
  needs: { server: services.server, clock: services.clock },
  create: ({ server, clock }) => OneTimeCodes.in(server.dataDir, clock),
})

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from 'orch/sdk'

/** A session as administrators see it. Its ID is not a credential. */
export interface KnownSession {
  readonly id: string
  /** When somebody signed in, and when the session ends at the latest; in ms since the epoch. */
  readonly since: number
  readonly until: number
}

/**
 * The sessions that have not ended. Each is a file in the data folder, named by a hash, so that all processes of a server share
 * them, and removing the file ends the session in all of them at once.
 */
export class KnownSessions {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'now'>

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder
    this.#clock = clock
  }

  /** The sessions of a server, by its data folder. */
  static in(dataDir: string, clock: Pick<Clock, 'now'>): KnownSessions {
    return new KnownSessions(join(dataDir, 'console-sessions'), clock)
  }

  add(session: KnownSession): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.all()
    writeFileSync(this.#fileOf(session.id), JSON.stringify(session), { mode: 0o600 })
  }

  has(id: string): boolean {
    return statSync(this.#fileOf(id), { throwIfNoEntry: false }) !== undefined
  }

  /** Oldest first. Removes expired sessions. */
  all(): readonly KnownSession[] {
    const sessions: KnownSession[] = []
    for (const name of namesIn(this.#folder)) {
      const session = sessionIn(join(this.#folder, name))
      if (session && session.until > this.#clock.now()) sessions.push(session)
      else remove(join(this.#folder, name))
    }
    return sessions.sort((one, other) => one.since - other.since)
  }

  /** Returns false if there is no such session. */
  end(id: string): boolean {
    return remove(this.#fileOf(id))
  }

  #fileOf(id: string): string {
    return join(this.#folder, createHash('sha256').update(id).digest('hex'))
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is created by the first sign-in.
    return []
  }
}

function sessionIn(file: string): KnownSession | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KnownSession
  } catch {
    return undefined
  }
}

function remove(file: string): boolean {
  try {
    unlinkSync(file)
    return true
  } catch {
    return false
  }
}

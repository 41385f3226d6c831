import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from 'orch/sdk'

/** A session as administrators see it. Its name is not a credential. */
export interface KnownSession {
  readonly id: string
  /** When somebody signed in, and when the session ends at the latest; in ms since the epoch. */
  readonly since: number
  readonly until: number
}

/**
 * The sessions that have not been ended, as files in the data folder named by a hash, so that every process of a server knows them
 * and whoever removes the file has ended the session, everywhere and at once.
 */
export class KnownSessions {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'now'>

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Those of a server, by its data folder. */
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

  /** The oldest first. Expired sessions are removed. */
  all(): readonly KnownSession[] {
    const sessions: KnownSession[] = []
    for (const name of namesIn(this.#folder)) {
      const session = sessionIn(join(this.#folder, name))
      if (session && session.until > this.#clock.now()) sessions.push(session)
      else remove(join(this.#folder, name))
    }
    return sessions.sort((one, other) => one.since - other.since)
  }

  /** False when there is no such session. */
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
    // Nobody has signed in yet.
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

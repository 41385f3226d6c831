import { type Answer, Connection, type RequestExtras, type Target } from './connection.js'

/** A pool of connections that grows as needed; each carries one request at a time. */
export class ConnectionPool {
  readonly #target: Target
  readonly #idle: Connection[] = []
  constructor(target: Target) {
    this.#target = target
  }

  async request(method: string, path: string, extras: RequestExtras = {}): Promise<Answer> {
    const connection = this.#kept() ?? (await Connection.open(this.#target))
    const answer = await connection.request(method, path, extras)
    this.#idle.push(connection)
    return answer
  }
  /** An idle connection that the server has not closed. */
  #kept(): Connection | undefined {
    let connection = this.#idle.pop()
    while (connection?.isBroken) connection = this.#idle.pop()
    return connection
  }
  /** Sends JSON and throws if it is rejected. */
  async post(path: string, body: string): Promise<void> {
    const { status, body: answer } = await this.request('POST', path, { body })
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${answer.toString('utf8').slice(0, 300)}`)
  }
  close(): void {
    for (const connection of this.#idle) connection.close()
  }
}

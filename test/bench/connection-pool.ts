import { type Answer, Connection, type RequestExtras, type Target } from './connection.js'

/** As many connections as are needed at once; each carries one request at a time. */
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
  /** One that the other side has not closed meanwhile. */
  #kept(): Connection | undefined {
    let connection = this.#idle.pop()
    while (connection?.isBroken) connection = this.#idle.pop()
    return connection
  }
  /** Sends JSON and insists that it is taken. */
  async post(path: string, body: string): Promise<void> {
    const { status, body: answer } = await this.request('POST', path, { body })
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${answer.toString('utf8').slice(0, 300)}`)
  }
  close(): void {
    for (const connection of this.#idle) connection.close()
  }
}

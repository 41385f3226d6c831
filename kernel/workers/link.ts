/** One end of a message channel between processes. */
export interface Channel {
  send(message: unknown): void
  /** `handle` is a socket that came with the message. */
  onMessage(receive: (message: unknown, handle?: unknown) => void): void
}

export interface Message {
  readonly topic: string
  readonly content?: unknown
  /** Set if a response is expected. */
  readonly question?: number
}
interface Answer {
  readonly answers: number
  readonly content?: unknown
  readonly error?: string
}
interface Waiting {
  resolve(content: unknown): void
  reject(error: Error): void
}
type Handler = (content: unknown, handle?: unknown) => unknown

/** Sends messages and requests to another process. Contents must be serializable as JSON. */
export class Link {
  readonly #channel: Channel
  readonly #handlers = new Map<string, Handler>()
  readonly #waiting = new Map<number, Waiting>()
  #questions = 0
  #isClosed = false

  constructor(channel: Channel) {
    this.#channel = channel
    channel.onMessage((message, handle) => this.#receive(message as Message | Answer, handle))
  }

  /** Handles messages of a topic; the return value is the response to a request. */
  on(topic: string, handler: Handler): void {
    this.#handlers.set(topic, handler)
  }

  tell(topic: string, content?: unknown): void {
    if (!this.#isClosed) this.#channel.send({ topic, content } satisfies Message)
  }

  /** Rejects if the other end fails or disconnects. */
  ask(topic: string, content?: unknown): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error('the other process is gone'))
    const question = ++this.#questions
    return new Promise((resolve, reject) => {
      this.#waiting.set(question, { resolve, reject })
      this.#channel.send({ topic, content, question } satisfies Message)
    })
  }

  /** The other end is gone. */
  close(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.values()) reject(new Error('the other process is gone'))
    this.#waiting.clear()
  }

  #receive(message: Message | Answer, handle: unknown): void {
    if ('answers' in message) this.#settle(message)
    else if (message.question === undefined) this.#handlers.get(message.topic)?.(message.content, handle)
    else void this.#answer(message, message.question)
  }

  #settle({ answers, content, error }: Answer): void {
    const waiting = this.#waiting.get(answers)
    this.#waiting.delete(answers)
    if (error === undefined) waiting?.resolve(content)
    else waiting?.reject(new Error(error))
  }

  async #answer({ topic, content }: Message, question: number): Promise<void> {
    let answer: Answer
    try {
      const handler = this.#handlers.get(topic)
      if (!handler) throw new Error(`no handler for "${topic}"`)
      answer = { answers: question, content: await handler(content) }
    } catch (error) {
      answer = { answers: question, error: error instanceof Error ? error.message : String(error) }
    }
    if (!this.#isClosed) this.#channel.send(answer)
  }
}

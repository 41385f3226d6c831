import type { SharedWork } from 'orch/sdk/proposed'

type Work = (question: never) => unknown

/** Shared work in the process that runs it: the only one of the server, or the primary. */
export class LocalWork implements SharedWork {
  readonly #works = new Map<string, Work>()

  declare<Question, Answer>(name: string, work: (question: Question) => Answer | Promise<Answer>) {
    // A plugin that replaces another one declares its work again, and that of the old one is dropped.
    this.#works.set(name, work)
    return async (question: Question): Promise<Answer> => work(question)
  }

  /** Runs work for another process. */
  async run(name: string, question: unknown): Promise<unknown> {
    const work = this.#works.get(name)
    if (!work) throw new Error(`no plugin declares the shared work "${name}"`)
    return work(question as never)
  }
}

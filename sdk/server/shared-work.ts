import { serviceToken } from '../plugin/service-token.js'

/**
 * Work on state that the whole server shares, such as allocated addresses or a counter. A server may consist of several processes; shared
 * work is done in one of them, whichever process calls.
 */
export interface SharedWork {
  /**
   * Call this while a service is created, so that every process knows the work by its name. Returns the function that runs it. Argument and
   * result must survive JSON.
   */
  declare<Question, Answer>(
    name: string,
    work: (question: Question) => Answer | Promise<Answer>,
  ): (question: Question) => Promise<Answer>
}

/** Work that runs in one process, however many the server has. */
export const sharedWork = serviceToken<SharedWork>('sharedWork')

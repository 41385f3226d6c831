/**
 * Work that keeps count of something for the whole server, such as what is taken or how much came. A server may consist of
 * several processes; shared work is done in one of them, whichever asks.
 */
export interface SharedWork {
  /**
   * To be called while a service is made, so that every process knows the work by its name. Returns the way to have it done.
   * Question and answer must survive JSON.
   */
  declare<Question, Answer>(
    name: string,
    work: (question: Question) => Answer | Promise<Answer>,
  ): (question: Question) => Promise<Answer>
}

/** `malformed`: not a patch. `unprocessable`: a patch, but not for this document. `too-large`: it would cost too much. */
export type JsonPatchProblem = 'malformed' | 'unprocessable' | 'too-large'

/** A patch that cannot be applied. */
export class JsonPatchError extends Error {
  readonly problem: JsonPatchProblem
  constructor(problem: JsonPatchProblem, message: string) {
    super(message)
    this.name = 'JsonPatchError'
    this.problem = problem
  }
}

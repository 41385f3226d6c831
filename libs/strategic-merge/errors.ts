/** `malformed`: not a patch. `unprocessable`: a patch that cannot be applied. */
export type StrategicMergeProblem = 'malformed' | 'unprocessable'

/** A patch that cannot be merged. */
export class StrategicMergeError extends Error {
  readonly problem: StrategicMergeProblem
  constructor(problem: StrategicMergeProblem, message: string) {
    super(message)
    this.name = 'StrategicMergeError'
    this.problem = problem
  }
}

export const malformed = (message: string) => new StrategicMergeError('malformed', message)
export const unprocessable = (message: string) => new StrategicMergeError('unprocessable', message)

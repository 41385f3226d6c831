import type { FieldError } from 'orch/sdk'
import type { Work } from './work.js'

/** Adds the errors of a value. `path` does not contain indexes of lists. Work is charged before it is done. */
export type Check = (value: unknown, path: string, errors: FieldError[], work: Work) => void

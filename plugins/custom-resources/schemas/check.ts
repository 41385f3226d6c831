import type { FieldError } from 'orch/sdk'
import type { Correlation } from './correlation.js'
import type { Work } from './work.js'

/**
 * Adds the errors of a value. Work is charged before it is done. Errors of a value that has not changed since it was
 * stored are ignored, if `stored` is given.
 */
export type Check = (value: unknown, path: string, errors: FieldError[], work: Work, stored?: Correlation) => void

/** How errors of values are reported. */
export interface CheckOptions {
  /** Whether wrong types, long strings and lists have reasons of their own, and paths include the indexes of items. */
  readonly typedReasons: boolean
  /** Whether integers and numbers are checked against their formats. */
  readonly numberFormats: boolean
  /** Whether the formats of names are supported. */
  readonly nameFormats: boolean
  /** Whether errors of a status that is written alone name fields from the root. */
  readonly wholeStatusPaths?: boolean
  /** Whether a write of the status is validated without the rest of the object. */
  readonly statusAlone?: boolean
  /** Whether a write of the status may not repeat items of sets and map lists. */
  readonly statusItems?: boolean
  /** Whether values are defaults, which may be anything where an integer or a string is wanted. */
  readonly ofDefaults?: boolean
}

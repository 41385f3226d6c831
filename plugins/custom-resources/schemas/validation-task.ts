import type { FieldError } from 'orch/sdk'
import type { DefinitionContext } from '../definitions/definition-context.js'
import type { SchemaKeywords } from '../names.js'
import type { CheckOptions } from './check.js'

/** A task of the validation thread. Values are sent as JSON, which is faster than structured cloning. */
export type ValidationTask =
  | {
      readonly kind: 'object'
      readonly schema: string
      readonly keywords: SchemaKeywords
      readonly options: CheckOptions
      /** Whether unchanged values may stay invalid. */
      readonly ratchets: boolean
      readonly ofStatus: boolean
      readonly object: string
      readonly before: string | undefined
      readonly maxWork: number
    }
  | {
      readonly kind: 'definition'
      readonly spec: string
      readonly context: DefinitionContext
      readonly maxWork: number
    }

/** The result of a task. */
export type ValidationResult =
  | { readonly errors: readonly FieldError[] }
  /** The work limit was exceeded at this field. */
  | { readonly exceededAt: string }
  | { readonly failure: string }

/** The first message of the thread: its code is loaded. `threadId` is that of the operating system, if known. */
export interface ValidationReady {
  readonly isReady: true
  readonly threadId: string | undefined
}

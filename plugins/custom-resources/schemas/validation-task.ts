import type { FieldError } from 'orch/sdk'
import type { DefinitionContext } from '../definitions/definition-context.js'
import type { SchemaKeywords } from '../names.js'
import type { CheckOptions } from './check.js'

/** What the validation thread is asked. Values come as JSON, which is read faster than copies of objects are made. */
export type ValidationTask =
  | {
      readonly kind: 'object'
      readonly schema: string
      readonly keywords: SchemaKeywords
      readonly options: CheckOptions
      /** Whether what did not change may stay invalid. */
      readonly ratchets: boolean
      readonly onlyStatus: boolean
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

/** What it answers. */
export type ValidationResult =
  | { readonly errors: readonly FieldError[] }
  /** It was more work than allowed, up to here. */
  | { readonly exceededAt: string }
  | { readonly failure: string }

/** What it says first: that its code is loaded, and which thread of the operating system it is, if that is known. */
export interface ValidationReady {
  readonly isReady: true
  readonly threadId: string | undefined
}

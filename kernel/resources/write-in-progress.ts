import type { ApiObject, FieldError, Operation } from 'orch/sdk'
import type { ActionForm } from './served-forms.js'
import type { Admission, WriteTarget } from './write-target.js'

/** One write on its way through the steps. */
export interface WriteInProgress {
  readonly kind: 'create' | 'update' | 'updateByAction' | 'createBody' | 'action' | 'delete' | 'deleteByAction'
  readonly target: WriteTarget
  readonly operation: Operation
  /** Empty until the name is generated. */
  readonly name: string
  /**
   * First as the client sent it, in the version of the request; then as it will be stored, or passed to an action. Steps change or
   * replace it. Undefined for a deletion.
   */
  object: ApiObject | undefined
  /** What is stored now; undefined on create. */
  readonly stored?: ApiObject | undefined
  /** The same in the version of the request. */
  readonly live?: ApiObject | undefined
  /** Who the change is attributed to. */
  readonly manager?: string
  readonly update?: UpdateRules
  /** The body of an action has a type of its own. */
  readonly action?: ActionForm
  /** Rules of a body in addition to its schema. */
  bodyErrors?(object: ApiObject): FieldError[]
  /** The errors that the permission check found in the content. */
  contentErrors?: readonly FieldError[]
  admission?: Admission | undefined
  /** The name was generated, so a collision is resolved with another one. */
  generatesName?: boolean
  /** The client named the version that it changes. */
  isConditional?: boolean
}

/** How the sources of changes differ. */
export interface UpdateRules {
  /** The subresource that ownership is recorded under, when it is not the path that is written. */
  readonly ownedThrough?: string
  /** The path of a field that nobody owns once it changes. */
  readonly unowned?: readonly string[] | undefined
  /** The sent object already has its managedFields (server-side apply). */
  readonly isTracked?: boolean
  /** A patch applies to any object with the name: a uid in it is validated like any other field. */
  readonly isPatch?: boolean
  /** The version in the sent object is that of the live one, not the client's: a conflict is retried. */
  readonly isUnconditional?: boolean
}

/** The version of an object whose last change is not committed yet. No client can know it. */
export const uncommitted = 'uncommitted'

import type { UserInfo } from '../identity/user.js'
import type { ServedLevel } from '../plugin/level.js'
import type { Vendor } from '../plugin/vendor.js'
import type { FieldError } from './field-errors.js'
import type { ApiObject, ObjectMeta } from './meta.js'

/** The request, as strategies see it. */
export interface StrategyContext {
  readonly user: UserInfo
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly namespace: string
  readonly subresource: string
  readonly dryRun: boolean
  readonly vendor: Vendor
  /** The API version the request used, before conversion to the storage version. */
  readonly requestVersion: string
  /** Adds a Warning header to the response, whether or not the request succeeds. */
  warn?(text: string): void
  /** Errors by the limits that the schema states (enums, minimums, patterns), in an object of the type. */
  limitErrors?(object: object): FieldError[]
}

/**
 * What is particular to a type, as optional steps. The kernel owns the order and everything that holds for all types
 * (names, metadata, versions, finalizers); a strategy fills in the rest. All steps are pure apart from changing `draft`.
 */
export interface Strategy<T = ApiObject> {
  /** Called after mutating admission on create. May change `draft`: reset what clients may not set, fill what the server owns. */
  prepareForCreate?(draft: T, context: StrategyContext): void
  /** Called on create when name and UID are known, before validation. May change `draft`: fill what is derived from them. */
  finishCreate?(draft: T, context: StrategyContext): void
  /** Called after mutating admission on update. May change `draft`: copy back from `stored` what this path does not write. */
  prepareForUpdate?(draft: T, stored: T, context: StrategyContext): void
  /**
   * Called after `prepareForCreate`. Must not change anything. Metadata is validated by the kernel. May be asynchronous (to check a
   * signature, to load a library), but must not depend on other objects or servers: that is admission.
   */
  validate?(object: T, context: StrategyContext): FieldError[] | Promise<FieldError[]>
  /** Called after `prepareForUpdate`; without it `validate` is. Must not change anything. */
  validateUpdate?(object: T, stored: T, context: StrategyContext): FieldError[] | Promise<FieldError[]>
  /**
   * The errors by the limits that the schema states; without it `context.limitErrors(object)`. For types that check some of them only
   * under a condition, or repeatedly.
   */
  validateLimits?(object: T, stored: T | undefined, context: StrategyContext): FieldError[]
  /** Texts for Warning headers. */
  warnings?(object: T, stored: T | undefined, context: StrategyContext): string[]
  /** Are fields stored whose gate is off? By default they are dropped. */
  readonly keepsGatedFields?: boolean
  /** Fields that this path resets and that apply must therefore never own: dotted paths such as `status` or `metadata`. */
  readonly resetFields?: readonly string[]
  /** May a PUT create the object? Default false. */
  readonly createOnUpdate?: boolean
  /** May an update omit resourceVersion? Default true. */
  readonly unconditionalUpdate?: boolean
  /** How often errors in metadata are reported on update. Once each by default; on subresources only those of the change. */
  readonly metadataChecks?: MetadataChecks | ((level: ServedLevel) => MetadataChecks)
}

/** How often the rules of a type check metadata again, after the kernel: clients see the causes repeated. */
export interface MetadataChecks {
  /** Of the change. */
  readonly change: number
  /** Of the object. */
  readonly object: number
  /** The type has a rule of its own for names: errors by the one for URLs are reported only if there are no others. */
  readonly ownNames?: boolean
}

/** Objects with a desired state in spec and an observed state in status. */
interface SpecAndStatus {
  metadata?: ObjectMeta
  spec?: unknown
  status?: unknown
}
type Prepared<T, Step extends keyof Strategy<T>> = Strategy<T> & Required<Pick<Strategy<T>, Step>>

/**
 * The strategy of a type whose clients write the spec: a new object has the status that `newStatus` gives (none without
 * it), and an update keeps the stored one. The steps of `own` come after that.
 */
export function strategyForSpec<T extends SpecAndStatus>({
  newStatus,
  ...own
}: Strategy<T> & { newStatus?(draft: T, context: StrategyContext): T['status'] }): Prepared<
  T,
  'prepareForCreate' | 'prepareForUpdate'
> {
  return {
    ...own,
    prepareForCreate(draft, context) {
      const status = newStatus?.(draft, context)
      if (status === undefined) delete draft.status
      else draft.status = status
      own.prepareForCreate?.(draft, context)
    },
    prepareForUpdate(draft, stored, context) {
      draft.status = stored.status
      own.prepareForUpdate?.(draft, stored, context)
    },
    resetFields: ['status', ...(own.resetFields ?? [])],
  }
}

/** Metadata that a path which resets metadata takes from the stored object. */
const keptMetadata = [
  'deletionTimestamp',
  'generation',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const satisfies readonly (keyof ObjectMeta)[]

function keepMetadata(draft: ObjectMeta, stored: ObjectMeta): void {
  for (const name of keptMetadata) {
    if (stored[name] === undefined) delete draft[name]
    else Object.assign(draft, { [name]: stored[name] })
  }
}

/**
 * The strategy of the path that writes the status of such a type: the spec stays as stored, and so does metadata if `own` says
 * that it is reset.
 */
export function strategyForStatus<T extends SpecAndStatus>(own: Strategy<T> = {}): Prepared<T, 'prepareForUpdate'> {
  return {
    ...own,
    prepareForUpdate(draft, stored, context) {
      draft.spec = stored.spec
      if (draft.metadata && stored.metadata && own.resetFields?.includes('metadata'))
        keepMetadata(draft.metadata, stored.metadata)
      own.prepareForUpdate?.(draft, stored, context)
    },
    resetFields: ['spec', ...(own.resetFields ?? [])],
  }
}

/** Optional steps of a deletion. */
export interface DeleteStrategy<T = ApiObject> {
  /**
   * Called when an object is to be deleted. Return the grace period in seconds for a graceful deletion
   * (the object stays, with deletionTimestamp, until somebody deletes it with 0), or 0 to delete now.
   */
  gracePeriodSeconds?(stored: T, requested: number | undefined): number
  /** Called on the object when its deletion begins; may change `draft`. `now` is ms since the epoch. */
  onDeletionStart?(draft: T, now: number): void
  /** Something other than metadata.finalizers that keeps a deleted object (a Namespace's spec.finalizers). */
  blocksDeletion?(stored: T): boolean
  /** Does the first DELETE only mark the object, even when nothing holds it? It is then removed by the next one. */
  readonly inTwoSteps?: boolean
  /** What DELETE answers when the object is gone: the object (`object`) or a Status (`status`, the default). */
  readonly answer?: 'object' | 'status'
  /** A warning for clients that do not choose a propagation policy. */
  readonly propagationWarning?: string
  /** Propagation used when the client asks for none. `Never`: objects of the type own nothing, and the requested policy is ignored. */
  readonly defaultPropagation?: 'Background' | 'Orphan' | 'Never'
}

import type { UserInfo } from '../identity/user.js'
import type { Lifespan } from '../plugin/level.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'
import type { TraceStage } from '../server/request-tracer.js'

/** What a request is about to do with the object. */
export type Operation = 'create' | 'update' | 'delete' | 'connect'

/** A name under which objects are served: several versions, and sometimes groups, can show the same stored objects. */
export interface ServedType {
  /** Of the objects in requests and reviews. An action (`eviction`, `token`) has a kind of its own. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
}

/**
 * The objects of a request as clients see them: in a served version, with apiVersion and kind, and with everything that is
 * always written. For controls that hand them on, such as webhooks; others work on `object` and `oldObject`.
 */
export interface ServedForms {
  /** What the client named. */
  readonly requested: ServedType
  /** Every served type that shows the same stored objects, the requested one first. */
  equivalents(): readonly ServedType[]
  /** Wait for this before asking for an object in another type than the requested one: it may have to be converted outside. */
  prepare(as: ServedType): void | Promise<void>
  /** A copy of the object in one of these types; null when the request has none. */
  object(as: ServedType): Record<string, unknown> | null
  /** A copy of the stored object; null when there is none. */
  oldObject(as: ServedType): Record<string, unknown> | null
  /**
   * The object, or the stored one, for who only reads a few fields: a view that copies nothing, unless the object has to be converted.
   * It shows every change of the object.
   */
  readable(as: ServedType, which: 'object' | 'oldObject'): Readonly<Record<string, unknown>> | null
  /**
   * Changes the object by a JSON Patch (RFC 6902) written for one of these types. The result is read as if a client had sent
   * it: decoded, defaulted, converted. Returns whether anything changed. Throws a 500 when the patch does not fit.
   */
  patchObject(as: ServedType, patch: readonly unknown[]): boolean | Promise<boolean>
  /**
   * Changes the object by some of its fields, merged into it as server-side apply does: items of lists by their keys. The
   * result is read as if a client had sent it. Returns whether anything changed. Throws a 400 when the fields do not fit the type,
   * and when they are in a list, map or struct that can only be replaced as a whole.
   */
  mergeObject(as: ServedType, fields: Readonly<Record<string, unknown>>): boolean | Promise<boolean>
}

/** One request on its way through admission. Objects are in the storage version. */
export interface AdmissionRequest<T = ApiObject> {
  readonly operation: Operation
  readonly user: UserInfo
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  /** Empty while a name is still to be generated. */
  readonly name: string
  /** The name in the URL; empty for a POST to a collection and for each object of a deletecollection. */
  readonly pathName: string
  /** The object as it will be stored; undefined on delete. A mutating control changes it in place. */
  readonly object: T
  /** The stored object; undefined on create and connect. Must not be changed. */
  readonly oldObject: T
  /** CreateOptions, UpdateOptions (for patches, too) or DeleteOptions as sent, with kind and apiVersion. */
  readonly options: Record<string, unknown>
  readonly dryRun: boolean
  /** The version of the API the client used; differs from `version` when the object was converted. */
  readonly requestVersion: string
  /** The objects as clients see them. */
  readonly served: ServedForms
  /**
   * True when mutating controls run a second time because one of them asked for it (see `reinvoke`). It is the same
   * request object as the first time, so a control may keep what it did then in a WeakMap by request.
   */
  readonly reinvoked: boolean
  /**
   * Call this before waiting for somebody outside, such as a webhook: others may then write the same object meanwhile. If
   * they do, this write starts over.
   */
  releaseLock(): void
  /**
   * How long the client still waits for its answer. Waiting for somebody outside for longer is in vain: nothing is written
   * once it is over. Negative then, and Infinity when there is no limit.
   */
  timeLeftMs(): number
  /**
   * Aborted when nobody waits for the answer any more, as when the client has closed its connection. Whoever waits for
   * somebody outside stops then, so that the place of the request is free for others.
   */
  readonly signal: AbortSignal
  /** Adds a Warning header to the answer. */
  warn(text: string): void
  /**
   * Adds an annotation to the audit event; the key is prefixed with the control's name by convention. One that tells what is
   * in the object says `Request`: it is then recorded only where the audit policy asks for bodies. A value that costs
   * something to make is given as a function, which is called only if it will be recorded.
   */
  annotate(key: string, value: string | (() => string), level?: 'Metadata' | 'Request'): void
  /** The review as a stage of the request, where that is followed: a control that calls somebody makes it a stage within. */
  readonly trace?: TraceStage | undefined
}

/** Refuse the request: 403 Forbidden by default. A thrown ApiError is passed on as it is. */
export interface Rejection {
  readonly rejected: true
  readonly message: string
  readonly code?: number
  readonly reason?: string
}
/** Refuses the request: the verdict of a control that says no. */
export const reject = (message: string, code?: number, reason?: string): Rejection => ({
  rejected: true,
  message,
  ...(code === undefined ? {} : { code }),
  ...(reason === undefined ? {} : { reason }),
})

/** What a refusal calls the object: its name, or as much of it as there is before a name is generated. */
export function refusedName({ name, object }: Pick<AdmissionRequest<unknown>, 'name' | 'object'>): string {
  const { metadata } = (object ?? {}) as Partial<ApiObject>
  return name || metadata?.name || metadata?.generateName || 'Unknown'
}

/** Let the request through, but have every mutating control look at it once more. */
export interface Reinvocation {
  readonly reinvoke: true
}
/**
 * What a mutating control returns after it let somebody outside (a webhook) change the object: controls that ran before it
 * have not seen the change. All mutating controls then run a second time, with `request.reinvoked` set; asking again has no
 * effect. Therefore a mutating control must leave alone what it has already done.
 */
export const reinvoke: Reinvocation = { reinvoke: true }

/** What a control answers; nothing lets the request through. */
export type Verdict = void | Rejection | Reinvocation

/** Which requests a control sees; every part left out matches everything. The kernel filters, so `review` starts with the decision. */
export interface AdmissionMatch {
  readonly group?: string
  readonly resource?: string | readonly string[]
  /** A subresource, `''` for the main path only (the default), `'*'` for any. */
  readonly subresource?: string | readonly string[]
  readonly operations?: readonly Operation[]
}

/** What kind of request it is, as far as controls are chosen by it. */
export type AdmissionTarget = Pick<AdmissionRequest, 'group' | 'resource' | 'subresource' | 'operation'>

/** Does a control with these `matches` see the request? One without any sees all. */
export function isAdmissionMatch(matches: AdmissionDefinition['matches'], target: AdmissionTarget): boolean {
  if (matches === undefined) return true
  return (Array.isArray(matches) ? matches : [matches]).some((match: AdmissionMatch) => isMatch(match, target))
}

function isMatch(match: AdmissionMatch, { group, resource, subresource, operation }: AdmissionTarget): boolean {
  const isIn = (wanted: string | readonly string[], value: string) =>
    typeof wanted === 'string' ? wanted === '*' || wanted === value : wanted.includes('*') || wanted.includes(value)
  return (
    (match.group === undefined || match.group === '*' || match.group === group) &&
    (match.resource === undefined || isIn(match.resource, resource)) &&
    isIn(match.subresource ?? '', subresource) &&
    (match.operations?.includes(operation) ?? true)
  )
}

/**
 * The stages of the chain, in order: is there a place for the object at all; what it gets when it says nothing; is it
 * allowed; what somebody outside says; counting, which is in vain if anybody still refuses; and what must come after all that.
 */
export const admissionStages = ['existence', 'defaults', 'checks', 'webhooks', 'accounting', 'last'] as const
/** One of the stages of the chain. */
export type AdmissionStage = (typeof admissionStages)[number]

/** An admission control: when it is asked, what it needs, and its decision. */
export interface AdmissionDefinition<T = ApiObject, N extends Needs = Needs> extends Lifespan {
  /** The name used by --enable-admission-plugins and in messages, such as `NamespaceLifecycle`. */
  readonly name: string
  /**
   * `mutate` may change the object; `validate` receives frozen objects, so that changing one throws; `both` is called in
   * each phase.
   */
  readonly phase: 'mutate' | 'validate' | 'both'
  /**
   * Does calling it change something outside? `none`; `noneOnDryRun` when it looks at `dryRun` and then changes nothing;
   * `some` otherwise: the kernel then refuses a dry run that would ask it, with 400, as it does for webhooks.
   */
  readonly sideEffects: 'none' | 'noneOnDryRun' | 'some'
  readonly matches?: AdmissionMatch | readonly AdmissionMatch[]
  readonly needs?: N
  /** On without being named in --enable-admission-plugins? Default true. */
  readonly enabledByDefault?: boolean
  /** Where in the chain it stands, `checks` by default. Within a stage the order of registration counts. */
  readonly stage?: AdmissionStage
  /** Controls, by name, that run before this one, whatever their stage. Those that nobody brings do not matter. */
  readonly after?: readonly string[]
  /** Controls, by name, that run after this one. The config key `admissionOrder` overrides both. */
  readonly before?: readonly string[]
  /** Return nothing to let the request through. `phase` tells `both` controls which one this is. */
  review(request: AdmissionRequest<T>, services: Resolved<N>, phase: 'mutate' | 'validate'): Verdict | Promise<Verdict>
}

/** Declares an admission control: `defineAdmission<Pod>()({ ... })`. */
export const defineAdmission =
  <T = ApiObject>() =>
  <const N extends Needs = Record<never, never>>(definition: AdmissionDefinition<T, N>): AdmissionDefinition<T, N> =>
    definition

/** The contents of --admission-control-config-file, by control. Ask for it as `services.admissionConfiguration`. */
export interface AdmissionConfiguration {
  /** The configuration object of a control, read from its path if it names one; undefined when there is none. */
  of(controlName: string): unknown
  /** The absolute path of a file that the configuration of this control names: relative ones start where it is written. */
  pathFor(controlName: string, file: string): string
}

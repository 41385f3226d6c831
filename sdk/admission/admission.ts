import type { UserInfo } from '../identity/user.js'
import type { Lifespan } from '../plugin/level.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'
import { isRecord, ownValue } from '../resource/own-value.js'
import type { TraceStage } from '../server/request-tracer.js'

/** What a request does with the object. */
export type Operation = 'create' | 'update' | 'delete' | 'connect'

/** A type under which objects are served: several versions, and sometimes groups, can serve the same stored objects. */
export interface ServedType {
  /** The kind of the objects in requests and reviews. An action (`eviction`, `token`) has a kind of its own. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
}

/**
 * The objects of a request as clients see them: in a served version, with apiVersion and kind, and with all fields that are
 * always written. For controls that pass them on, such as webhooks; others work on `object` and `oldObject`.
 */
export interface ServedForms {
  /** The type that the client used. */
  readonly requested: ServedType
  /** Every served type of the same stored objects, the requested one first. */
  equivalents(): readonly ServedType[]
  /** Await this before using a type other than the requested one: a webhook may have to convert the objects. */
  prepare(as: ServedType): void | Promise<void>
  /** A copy of the object in one of these types; null when the request has none. */
  object(as: ServedType): Record<string, unknown> | null
  /** A copy of the stored object; null when there is none. */
  oldObject(as: ServedType): Record<string, unknown> | null
  /**
   * The object, or the stored one, for reading a few fields: a view that copies nothing, unless the object has to be converted.
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
   * Call this before waiting for an external system, such as a webhook: other requests may then write the same object. If
   * they do, this write starts over.
   */
  releaseLock(): void
  /**
   * The time until the request times out. Do not wait for external systems any longer: after the time-out nothing is
   * written. Negative after the time-out, and Infinity when there is no limit.
   */
  timeLeftMs(): number
  /**
   * Aborted when the response is no longer needed, for example because the client has closed its connection. Stop waiting
   * for external systems then, so that the request releases its seat.
   */
  readonly signal: AbortSignal
  /** Adds a Warning header to the response. */
  warn(text: string): void
  /**
   * Adds an annotation to the audit event; by convention the key is prefixed with the control's name. Use level `Request` for
   * a value that reveals contents of the object: it is then recorded only where the audit policy includes bodies. Pass an
   * expensive value as a function, which is called only if the value will be recorded.
   */
  annotate(key: string, value: string | (() => string), level?: 'Metadata' | 'Request'): void
  /** The review as a stage of a traced request: a control that calls another server adds a stage within it. */
  readonly trace?: TraceStage | undefined
}

/** A refusal of the request: 403 Forbidden by default. A thrown ApiError is returned to the client unchanged. */
export interface Rejection {
  readonly rejected: true
  readonly message: string
  readonly code?: number
  readonly reason?: string
}
/** Refuses the request. */
export const reject = (message: string, code?: number, reason?: string): Rejection => ({
  rejected: true,
  message,
  ...(code === undefined ? {} : { code }),
  ...(reason === undefined ? {} : { reason }),
})

/** The name of the object for error messages; the prefix while the name is not generated yet. */
export function refusedName({ name, object }: Pick<AdmissionRequest<unknown>, 'name' | 'object'>): string {
  const { metadata } = (object ?? {}) as Partial<ApiObject>
  return name || metadata?.name || metadata?.generateName || 'Unknown'
}

/** Admits the request, but calls every mutating control once more. */
export interface Reinvocation {
  readonly reinvoke: true
}
/**
 * Returned by a mutating control after an external system (a webhook) has changed the object: controls that ran before it
 * have not seen the change. All mutating controls then run a second time, with `request.reinvoked` set; asking again has no
 * effect. Therefore mutating controls must be idempotent.
 */
export const reinvoke: Reinvocation = { reinvoke: true }

/** The decision of a control; nothing admits the request. */
export type Verdict = void | Rejection | Reinvocation

/** Which requests a control sees; every part left out matches everything. The kernel filters, so `review` starts with the decision. */
export interface AdmissionMatch {
  readonly group?: string
  readonly resource?: string | readonly string[]
  /** A subresource, `''` for the main path only (the default), `'*'` for any. */
  readonly subresource?: string | readonly string[]
  readonly operations?: readonly Operation[]
}

/** The attributes of a request by which controls are selected. */
export type AdmissionTarget = Pick<AdmissionRequest, 'group' | 'resource' | 'subresource' | 'operation'>

/** Whether a control with these `matches` is called for the request. Without any it is called for all. */
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

/** Whether an object has a value at a path. */
export function isFieldSet(object: unknown, path: readonly string[]): boolean {
  let value = object
  for (const name of path) value = isRecord(value) ? ownValue(value, name) : undefined
  return value !== undefined
}

/**
 * The stages of the chain, in order: existence of the namespace; defaults; checks whether the object is allowed;
 * webhooks; quotas, which must not be charged for a rejected request; and controls that must come after all of these.
 */
export const admissionStages = ['existence', 'defaults', 'checks', 'webhooks', 'accounting', 'last'] as const
/** One of the stages of the chain. */
export type AdmissionStage = (typeof admissionStages)[number]

/** An admission control: when it is called, what it needs, and its decision. */
export interface AdmissionDefinition<T = ApiObject, N extends Needs = Needs> extends Lifespan {
  /** The name used by --enable-admission-plugins and in messages, such as `NamespaceLifecycle`. */
  readonly name: string
  /**
   * `mutate` may change the object; `validate` receives frozen objects, so that changing one throws; `both` is called in
   * each phase.
   */
  readonly phase: 'mutate' | 'validate' | 'both'
  /**
   * Whether calling it changes anything besides the object: `none`; `noneOnDryRun` when it respects `dryRun`; `some`
   * otherwise: the kernel then refuses dry runs that would call it, with 400, as it does for webhooks.
   */
  readonly sideEffects: 'none' | 'noneOnDryRun' | 'some'
  readonly matches?: AdmissionMatch | readonly AdmissionMatch[]
  /**
   * The path of a field, such as `['metadata', 'ownerReferences']`: the control is called only if the object or the stored one
   * has a value there. The kernel looks without copying the object, or sending it to a plugin process.
   */
  readonly whenSet?: readonly string[]
  readonly needs?: N
  /** Whether it is enabled without being named in --enable-admission-plugins. Default true. */
  readonly enabledByDefault?: boolean
  /** Its stage in the chain, `checks` by default. Within a stage the order of registration applies. */
  readonly stage?: AdmissionStage
  /** Names of controls that run before this one, whatever their stage. Unknown names are ignored. */
  readonly after?: readonly string[]
  /** Names of controls that run after this one. The config key `admissionOrder` overrides both. */
  readonly before?: readonly string[]
  /** Return nothing to admit the request. `phase` is for controls of both phases. */
  review(request: AdmissionRequest<T>, services: Resolved<N>, phase: 'mutate' | 'validate'): Verdict | Promise<Verdict>
}

/** Declares an admission control: `defineAdmission<Pod>()({ ... })`. */
export const defineAdmission =
  <T = ApiObject>() =>
  <const N extends Needs = Record<never, never>>(definition: AdmissionDefinition<T, N>): AdmissionDefinition<T, N> =>
    definition

/** The contents of --admission-control-config-file, by control. It is the service `services.admissionConfiguration`. */
export interface AdmissionConfiguration {
  /** The configuration object of a control, read from its path if it names one; undefined when there is none. */
  of(controlName: string): unknown
  /** The absolute path of a file that the configuration of this control names; it is relative to the file that names it. */
  pathFor(controlName: string, file: string): string
}

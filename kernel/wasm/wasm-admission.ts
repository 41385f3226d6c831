import { type AdmissionDefinition, type AdmissionRequest, isPromise, type Rejection, reject } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { ManifestControl } from './manifest.js'
import { invalidReply, type WasmCalls } from './wasm-calls.js'

/** Limits on the number and length of warnings and audit annotations in a reply. */
const maxTexts = 20
const maxTextLength = 500

/** A validated reply of a control. */
interface Review {
  readonly rejection: Rejection | undefined
  /** A JSON Patch; undefined if nothing changes. */
  readonly patch: readonly unknown[] | undefined
}

/** An admission control whose decision is made by a function of a module. */
export function wasmAdmission(control: ManifestControl, calls: WasmCalls): AdmissionDefinition {
  const { function: name, failurePolicy, phase, matches, ...declared } = control
  return {
    ...declared,
    phase,
    ...(matches === undefined ? {} : { matches }),
    sideEffects: 'none',
    review(request) {
      const { served } = request
      const as = servedAs(request)
      const admitted: Review = { rejection: undefined, patch: undefined }
      const input = { request: { ...described(request), ...objectsOf(request, as) } }
      const { rejection, patch } = calls.call(
        name,
        input,
        reply => readReview(name, reply, request),
        admitted,
        failurePolicy,
      )
      if (rejection) return rejection
      if (!patch) return undefined
      if (phase !== 'mutate')
        return calls.failed(
          name,
          invalidReply(name, 'a control of the phase validate cannot change the object'),
          undefined,
          failurePolicy,
        )
      const failed = (thrown: unknown) => calls.failed(name, thrown, undefined, failurePolicy)
      try {
        const changed = served.patchObject(as, patch)
        return isPromise(changed) ? changed.then(() => undefined, failed) : undefined
      } catch (thrown) {
        return failed(thrown)
      }
    },
  }
}

/** The storage version if it is served, as other controls see it; otherwise the version of the request. */
function servedAs({ served, version }: AdmissionRequest) {
  const { requested } = served
  if (requested.resource.version === version) return requested
  return served.equivalents().find(({ resource }) => resource.version === version) ?? requested
}

const described = (request: AdmissionRequest): JsonObject => ({
  operation: request.operation,
  user: request.user,
  group: request.group,
  version: request.version,
  kind: request.kind,
  resource: request.resource,
  subresource: request.subresource,
  namespace: request.namespace,
  name: request.name,
  dryRun: request.dryRun,
  requestVersion: request.requestVersion,
})
const objectsOf = ({ served }: AdmissionRequest, as: AdmissionRequest['served']['requested']): JsonObject => ({
  object: served.readable(as, 'object'),
  oldObject: served.readable(as, 'oldObject'),
})

function readReview(name: string, reply: JsonObject, request: AdmissionRequest): Review {
  const { allowed, message = '', code = 403, reason, warnings = [], patch, object, auditAnnotations = {} } = reply
  if (typeof allowed !== 'boolean') throw invalidReply(name, '"allowed" must be true or false')
  if (!isTexts(warnings)) throw invalidReply(name, '"warnings" must be a list of strings')
  if (!isObject(auditAnnotations)) throw invalidReply(name, '"auditAnnotations" must be an object')
  for (const text of warnings.slice(0, maxTexts)) request.warn(text.slice(0, maxTextLength))
  for (const [key, value] of Object.entries(auditAnnotations).slice(0, maxTexts))
    if (typeof value === 'string') request.annotate(key, value.slice(0, maxTextLength), 'Request')
  if (!allowed) {
    if (typeof message !== 'string' || typeof code !== 'number' || code < 400 || code > 599)
      throw invalidReply(name, 'a rejection needs a "message" and, if not 403, a "code" from 400 to 599')
    return { rejection: reject(message, code, typeof reason === 'string' ? reason : undefined), patch: undefined }
  }
  if (object !== undefined && patch !== undefined) throw invalidReply(name, 'it has both "patch" and "object"')
  if (object !== undefined && !isObject(object)) throw invalidReply(name, '"object" must be an object')
  if (patch !== undefined && !Array.isArray(patch)) throw invalidReply(name, '"patch" must be a list of operations')
  const whole = object === undefined ? undefined : [{ op: 'replace', path: '', value: object }]
  return { rejection: undefined, patch: whole ?? (patch?.length === 0 ? undefined : patch) }
}

export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')

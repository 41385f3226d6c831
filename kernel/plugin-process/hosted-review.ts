import type { AdmissionRequest, ApiObject, ServedType, Verdict } from 'orch/sdk'
import { copyJson, isObject, type JsonObject } from '../../libs/json/index.js'
import { type Gathered, gather } from './gather-changes.js'

/** Rebuilds the admission request from what the server sent. */
export function requestFrom({ request: sent }: JsonObject): { request: AdmissionRequest; gathered: Gathered } {
  const data: AdmissionRequest & { timeLeftMs: unknown } = JSON.parse('{}')
  Object.assign(data, sent)
  const until = typeof data.timeLeftMs === 'number' ? performance.now() + data.timeLeftMs : undefined
  const gathered = gather(data.object)
  const own: Partial<AdmissionRequest> = {
    served: servedForms(data),
    // The server is waiting for this process; there is no lock to release here.
    releaseLock: () => {},
    timeLeftMs: () => (until === undefined ? Number.POSITIVE_INFINITY : until - performance.now()),
    signal: new AbortController().signal,
    warn: text => gathered.warn(text),
    annotate: (key, value, level = 'Metadata') =>
      gathered.annotate(key, typeof value === 'function' ? value() : value, level),
  }
  return { request: Object.assign(data, own), gathered }
}

export function answerFor(
  { object }: AdmissionRequest,
  gathered: Gathered,
  before: ReadonlyMap<string, string> | undefined,
  verdict: Verdict,
): object {
  return { ...gathered.answer(object, before), ...(verdict === undefined ? {} : { verdict }) }
}

/** The versions of the object that this process knows: only the one that controls see. */
function servedForms({
  group,
  version,
  kind,
  resource,
  object,
  oldObject,
}: AdmissionRequest): AdmissionRequest['served'] {
  const requested: ServedType = { kind: { group, version, kind }, resource: { group, version, resource } }
  const form = (each: ApiObject | undefined) =>
    isObject(each) ? { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...copyJson(each) } : null
  const unavailable = () => {
    throw new Error(
      'a control in a process of its own changes request.object; it cannot patch or merge other forms of it',
    )
  }
  return {
    requested,
    equivalents: () => [requested],
    prepare: () => {},
    object: () => form(object),
    oldObject: () => form(oldObject),
    readable: (_, which) => form(which === 'object' ? object : oldObject),
    patchObject: unavailable,
    mergeObject: unavailable,
  }
}

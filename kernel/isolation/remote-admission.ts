import { type AdmissionDefinition, type AdmissionRequest, andThen, reinvoke, reject, type Verdict } from 'orch/sdk'
import { isObject } from '../../libs/json/index.js'
import { errorFrom } from './call-link.js'
import { applyChanges, type OpenReviews } from './open-reviews.js'
import type { ReviewOrder } from './plugin-messages.js'
import { textsIn, UnreadableAnswer } from './unreadable-answer.js'

/**
 * Calls the plugin process and reads its answer; undefined if the call failed and the failure policy is to ignore that.
 */
export type Ask = <T>(
  topic: string,
  content: object,
  read: (answer: unknown) => T | Promise<T>,
) => Promise<T | undefined>

/** An admission control whose decision is made in another process. */
export function remoteAdmission(
  described: Omit<AdmissionDefinition, 'review' | 'needs'>,
  control: number,
  ask: Ask,
  reviews: OpenReviews,
): AdmissionDefinition {
  return {
    ...described,
    async review(request, _, phase) {
      const review = reviews.begin(request, phase)
      const order: ReviewOrder = { control, review, phase, request: sent(request) }
      try {
        return await ask('review', order, answer => concluded(request, phase, answer))
      } finally {
        reviews.end(review)
      }
    },
  }
}

function sent(request: AdmissionRequest): ReviewOrder['request'] {
  const { operation, user, group, version, kind, resource, subresource, namespace, name, pathName } = request
  const { object, oldObject, options, dryRun, requestVersion, reinvoked } = request
  const left = request.timeLeftMs()
  return {
    operation,
    user,
    group,
    version,
    kind,
    resource,
    subresource,
    namespace,
    name,
    pathName,
    object,
    oldObject,
    options,
    dryRun,
    requestVersion,
    reinvoked,
    timeLeftMs: Number.isFinite(left) ? left : null,
  }
}

/** Applies the answer to the request. The answer is untrusted: every field is checked. */
function concluded(
  request: AdmissionRequest,
  phase: 'mutate' | 'validate',
  answer: unknown,
): Verdict | Promise<Verdict> {
  if (!isObject(answer)) throw new UnreadableAnswer('no answer to a review')
  const { warnings, annotations, verdict, failure } = answer
  for (const text of textsIn(warnings)) request.warn(text)
  for (const annotation of Array.isArray(annotations) ? annotations.slice(0, maxAnnotations) : []) {
    const [key, value, level] = textsIn(annotation)
    if (key !== undefined && value !== undefined)
      request.annotate(key, value, level === 'Request' ? 'Request' : 'Metadata')
  }
  if (failure !== undefined) throw errorFrom(failure)
  return phase === 'validate'
    ? verdictFrom(verdict)
    : andThen(applyChanges(request, answer), () => verdictFrom(verdict))
}
const maxAnnotations = 100

function verdictFrom(verdict: unknown): Verdict {
  if (verdict === undefined || verdict === null) return undefined
  if (!isObject(verdict)) throw new UnreadableAnswer('no verdict')
  if (verdict['reinvoke'] === true) return reinvoke
  const { message, code, reason } = verdict
  if (verdict['rejected'] !== true || typeof message !== 'string') throw new UnreadableAnswer('no verdict')
  const isCode = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599
  return reject(message, isCode ? code : undefined, typeof reason === 'string' ? reason : undefined)
}

import { randomUUID } from 'node:crypto'
import { ApiError, type ApiObject, type FieldError, isRecord } from 'orch/sdk'
import type { WebhookPosts } from 'orch/sdk/admission'
import { validateAnnotations } from 'orch/sdk/core'
import type { ConvertObjects } from 'orch/sdk/server'
import { describeFieldErrors, sameJson, validateLabels, writeJson } from 'orch/sdk/validation'
import type { CustomResourceDefinition } from '../definitions/schema.js'
import { reviewVersions } from '../definitions/validate-parts.js'
import { setField } from '../schemas/prune.js'

/** Timeout of a review, and the maximum size of its objects: responses are limited in size, too. */
const timeoutMs = 30_000
const maxReviewBytes = 1024 * 1024

interface Subject {
  readonly group: string
  readonly kind: string
  /** The group of ConversionReview. */
  readonly reviewGroup: string
}
type Conversion = NonNullable<CustomResourceDefinition['spec']['conversion']>

/** Converts objects by calling the webhook of a definition. If anything in a response is invalid, none of it is used. */
export function convertByWebhook({ webhook }: Conversion, subject: Subject, posts: WebhookPosts): ConvertObjects {
  const config = webhook?.clientConfig ?? {}
  const version = webhook?.conversionReviewVersions?.find(each => reviewVersions.includes(each))
  return async (objects, from, to) => {
    if (from === to) return objects
    const converted: ApiObject[] = []
    for (const batch of batchesOf(objects)) {
      const review = reviewOf(batch, from, to, subject, `${subject.reviewGroup}/${version}`)
      let answer: unknown
      try {
        answer = JSON.parse(await posts.post(config, writeJson(review), timeoutMs))
      } catch (error) {
        throw failed(subject, (error as Error).message, error)
      }
      for (const each of readAnswer(answer, review, batch, subject)) converted.push(each)
    }
    return converted
  }
}

const failed = ({ group, kind }: Subject, why: string, cause?: unknown): ApiError =>
  new ApiError(500, '', `conversion webhook for ${group}, Kind=${kind} failed: ${why}`, undefined, { cause })

function* batchesOf(objects: readonly ApiObject[]): Iterable<readonly ApiObject[]> {
  let batch: ApiObject[] = []
  let bytes = 0
  for (const object of objects) {
    const size = writeJson(object).length
    if (batch.length > 0 && bytes + size > maxReviewBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(object)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

function reviewOf(
  objects: readonly ApiObject[],
  from: string,
  to: string,
  { group, kind }: Subject,
  apiVersion: string,
) {
  return {
    kind: 'ConversionReview',
    apiVersion,
    request: {
      uid: randomUUID() as string,
      desiredAPIVersion: `${group}/${to}`,
      objects: objects.map(object => ({ ...object, apiVersion: `${group}/${from}`, kind })),
    },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  }
}

interface Answer {
  readonly kind?: unknown
  readonly apiVersion?: unknown
  readonly response?: {
    readonly uid?: unknown
    readonly convertedObjects?: unknown
    readonly result?: { readonly status?: unknown; readonly message?: unknown } | null
  } | null
}

function readAnswer(
  answer: unknown,
  { request, kind, apiVersion }: ReturnType<typeof reviewOf>,
  sent: readonly ApiObject[],
  subject: Subject,
): ApiObject[] {
  const refuse = (why: string) => failed(subject, why)
  const { kind: itsKind, apiVersion: itsVersion, response } = (answer ?? {}) as Answer
  // Webhooks that speak the first version of reviews answer without saying to what.
  const isIdentified = !apiVersion.endsWith('/v1beta1')
  if (isIdentified && (itsKind !== kind || itsVersion !== apiVersion))
    throw refuse(`expected a ${kind} of ${apiVersion}, got ${itsKind} of ${itsVersion}`)
  if (!response) throw refuse('the answer has no response')
  if (isIdentified && response.uid !== request.uid) throw refuse('the answer has the uid of another review')
  if (response.result?.status !== 'Success') throw refuse(String(response.result?.message ?? 'it gives no reason'))
  const objects = response.convertedObjects
  if (!Array.isArray(objects) || objects.length !== sent.length)
    throw refuse(`expected ${sent.length} converted objects, got ${Array.isArray(objects) ? objects.length : 'none'}`)
  return objects.map((object: unknown, index) =>
    readObject(object, sent[index]!, request.desiredAPIVersion, subject.kind, refuse),
  )
}

/** A webhook may change only labels and annotations of the metadata. Changed identifying fields are an error; other changes are ignored. */
function readObject(
  object: unknown,
  before: ApiObject,
  apiVersion: string,
  kind: string,
  refuse: (why: string) => ApiError,
): ApiObject {
  if (typeof object !== 'object' || object === null) throw refuse('a converted object is not an object')
  const { apiVersion: itsVersion, kind: itsKind, metadata, ...rest } = object as ApiObject
  if (itsVersion !== apiVersion || itsKind !== kind)
    throw refuse(`expected ${kind} of ${apiVersion}, got ${itsKind} of ${itsVersion}`)
  const { labels, annotations, ...others } = before.metadata
  if (!isRecord(metadata)) throw refuse('a converted object has no metadata')
  for (const field of ['name', 'namespace', 'uid'] as const)
    if ((metadata[field] ?? '') !== (before.metadata[field] ?? ''))
      throw refuse(`metadata.${field} must not be changed`)
  return {
    metadata: {
      ...others,
      ...readMap('labels', metadata.labels, labels, validateLabels, refuse),
      ...readMap('annotations', metadata.annotations, annotations, validateAnnotations, refuse),
    },
    ...rest,
  }
}

/** Labels or annotations of a converted object. They must be valid if the webhook changed them. */
function readMap(
  name: 'labels' | 'annotations',
  value: unknown,
  before: Readonly<Record<string, string>> = {},
  validate: (map: Readonly<Record<string, string>>, field: string) => readonly FieldError[],
  refuse: (why: string) => ApiError,
): { readonly [field in 'labels' | 'annotations']?: Record<string, string> } {
  if (value === undefined || value === null) return {}
  const field = `metadata.${name}`
  if (!isRecord(value)) throw refuse(`${field} must be an object`)
  const map: Record<string, string> = {}
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw refuse(`${field}[${key}] must be a string`)
    setField(map, key, text)
  }
  const errors = sameJson(map, before) ? [] : validate(map, field)
  if (errors.length > 0) throw refuse(describeFieldErrors(errors))
  return { [name]: map }
}

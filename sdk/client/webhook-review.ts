import { recognizedAcrossCopies } from '../plugin/across-copies.js'
import type { ApiObject } from '../resource/meta.js'
import { type PatchOperation, patchBetween } from './patch-between.js'

/** The `request` of an AdmissionReview. */
export interface WebhookRequest<T = ApiObject> {
  /** The id of this call; the response repeats it. */
  readonly uid: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
  readonly subResource?: string
  /** The kind that the client used; differs from `kind` when the object was converted for this webhook. */
  readonly requestKind?: WebhookRequest['kind']
  readonly requestResource?: WebhookRequest['resource']
  readonly requestSubResource?: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly userInfo: {
    readonly username?: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
  /** The object as it would be stored; null on DELETE. */
  readonly object: T | null
  /** The stored object; null on CREATE and CONNECT. */
  readonly oldObject: T | null
  /** Nothing will be stored: have no side effects. */
  readonly dryRun?: boolean
  readonly options?: Readonly<Record<string, unknown>> | null
}

/** The decision of a webhook. Create one with `allowRequest`, `allowChanged` or `denyRequest`. */
export interface WebhookVerdict {
  readonly allowed: boolean
  readonly status?: { readonly code: number; readonly message: string; readonly reason?: string }
  readonly patch?: readonly PatchOperation[]
  /** Shown to the client; keep them short. */
  readonly warnings?: readonly string[]
  /** Added to the audit event, their keys below the name of the webhook. */
  readonly auditAnnotations?: Readonly<Record<string, string>>
}
type Extras = Pick<WebhookVerdict, 'warnings' | 'auditAnnotations'>

/** Decides about one request. If it throws, the call fails and the failure policy applies. */
export type WebhookHandler<T = ApiObject> = (request: WebhookRequest<T>) => WebhookVerdict | Promise<WebhookVerdict>

/** Allows the request, with these changes (of a mutating webhook). */
export const allowRequest = (more: Extras & Pick<WebhookVerdict, 'patch'> = {}): WebhookVerdict => ({
  allowed: true,
  ...more,
})

/** Allows the request with the object that `change` has modified: `allowChanged(request, widget => { widget.spec.size ??= 1 })`. */
export function allowChanged<T>(
  request: WebhookRequest<T>,
  change: (draft: T) => void,
  extras: Extras = {},
): WebhookVerdict {
  if (request.object === null) return allowRequest(extras)
  const draft = structuredClone(request.object)
  change(draft)
  return allowRequest({ ...extras, patch: patchBetween(request.object, draft) })
}

/** Denies the request, with 403 Forbidden by default. */
export const denyRequest = (
  message: string,
  {
    code = 403,
    reason = code === 403 ? 'Forbidden' : undefined,
    ...extras
  }: Extras & { code?: number; reason?: string } = {},
): WebhookVerdict => ({
  allowed: false,
  status: { code, message, ...(reason === undefined ? {} : { reason }) },
  ...extras,
})

/** Thrown for a body that is not an AdmissionReview. */
export class NotAReview extends Error {}
recognizedAcrossCopies(NotAReview, 'NotAReview')

/** The response to an AdmissionReview of either version, given as text. For servers other than `startWebhookServer`. */
export async function answerReview(text: string, handler: WebhookHandler<never>): Promise<string> {
  const { apiVersion, kind, request } = parseReview(text)
  const { patch, ...verdict } = await (handler as WebhookHandler)(request)
  const changes = patch && patch.length > 0 ? patch : undefined
  const response = {
    uid: request.uid,
    ...verdict,
    ...(changes ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(changes)).toString('base64') } : {}),
  }
  return JSON.stringify({ kind, apiVersion, response })
}

function parseReview(text: string): { apiVersion: string; kind: string; request: WebhookRequest } {
  let review: unknown
  try {
    review = JSON.parse(text)
  } catch {
    throw new NotAReview('the body is not JSON')
  }
  const { apiVersion, kind, request } = (review ?? {}) as Record<string, unknown>
  const { uid } = (request ?? {}) as Record<string, unknown>
  if (kind !== 'AdmissionReview' || typeof apiVersion !== 'string' || typeof uid !== 'string')
    throw new NotAReview('the body is not an AdmissionReview with a request')
  return { apiVersion, kind, request: request as WebhookRequest }
}

import type { AdmissionRequest, ServedType, UserInfo } from 'orch/sdk'
import { isNamespaceRequest } from '../matching/webhook-snapshot.js'

/**
 * The body of a call. Everything but the uid is the same for all webhooks that see the object in one type, so it is made
 * once: `text` is the rest of the request after `"uid":"…"`.
 */
export class ReviewText {
  readonly #rest: string
  constructor(request: AdmissionRequest, as: ServedType) {
    this.#rest = JSON.stringify(reviewFields(request, as)).slice(1)
  }
  /** The AdmissionReview for one call. */
  body(groupVersion: string, uid: string): string {
    return `{"kind":"AdmissionReview","apiVersion":"${groupVersion}","request":{"uid":"${uid}",${this.#rest}}`
  }
}

function reviewFields(request: AdmissionRequest, as: ServedType): Record<string, unknown> {
  const { served, subresource, operation } = request
  const { requested } = served
  const name = operation === 'delete' ? request.pathName : request.name
  const namespace = isNamespaceRequest(request) ? request.name : request.namespace
  return {
    kind: as.kind,
    resource: as.resource,
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: requested.kind,
    requestResource: requested.resource,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation: operation.toUpperCase(),
    userInfo: userFields(request.user),
    object: served.object(as),
    oldObject: served.oldObject(as),
    dryRun: request.dryRun,
    options: operation === 'connect' ? null : request.options,
  }
}

function userFields({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    ...(name ? { username: name } : {}),
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  }
}

import type { AdmissionRequest, ServedType, UserInfo } from 'orch/sdk'
import { isNamespaceRequest } from 'orch/sdk/admission'
import { writeJson } from 'orch/sdk/validation'

/**
 * The body of a call. Everything but the uid is the same for all webhooks that see the object in one version, so it is built
 * once: `rest` is the part after `"uid":"…"` in the request. It is concatenated from strings, most of which are cached
 * across requests.
 */
export class ReviewText {
  readonly #rest: string
  constructor(request: AdmissionRequest, as: ServedType) {
    const { served, operation, options, dryRun, user } = request
    const name = operation === 'delete' ? request.pathName : request.name
    const namespace = isNamespaceRequest(request) ? request.name : request.namespace
    this.#rest =
      typesText(as, served.requested, request.subresource) +
      (name === '' ? '' : `"name":${JSON.stringify(name)},`) +
      (namespace === '' ? '' : `"namespace":${JSON.stringify(namespace)},`) +
      `"operation":"${operation.toUpperCase()}","userInfo":${userText(user)},` +
      `"object":${writeJson(served.object(as))},"oldObject":${writeJson(served.oldObject(as))},` +
      `"dryRun":${dryRun},"options":${operation === 'connect' ? 'null' : JSON.stringify(options)}}`
  }
  /** The AdmissionReview for one call. */
  body(groupVersion: string, uid: string): string {
    return `{"kind":"AdmissionReview","apiVersion":"${groupVersion}","request":{"uid":"${uid}",${this.#rest}}`
  }
}

const textsByType = new WeakMap<ServedType, Map<string, string>>()

/** The fields that identify the resource, each followed by a comma. */
function typesText(as: ServedType, requested: ServedType, subresource: string): string {
  const { group, version } = requested.resource
  const id = `${group}/${version} ${subresource}`
  let texts = textsByType.get(as)
  if (!texts) textsByType.set(as, (texts = new Map()))
  let text = texts.get(id)
  if (text === undefined) {
    const fields = {
      kind: as.kind,
      resource: as.resource,
      ...(subresource === '' ? {} : { subResource: subresource }),
      requestKind: requested.kind,
      requestResource: requested.resource,
      ...(subresource === '' ? {} : { requestSubResource: subresource }),
    }
    texts.set(id, (text = `${JSON.stringify(fields).slice(1, -1)},`))
  }
  return text
}

const textsByUser = new WeakMap<UserInfo, string>()

/** Cached, because the authentication cache returns the same object for many requests. */
function userText(user: UserInfo): string {
  let text = textsByUser.get(user)
  if (text === undefined) textsByUser.set(user, (text = JSON.stringify(userFields(user))))
  return text
}

function userFields({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    ...(name ? { username: name } : {}),
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  }
}

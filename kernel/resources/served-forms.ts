import { ApiError, type ApiObject, internalError, type ServedForms, type ServedType } from 'orch/sdk'
import { jsonPatch } from '../apply/json-patch.js'
import type { RequestContext } from '../request/request-context.js'
import { copyJson } from '../schema/copy-json.js'
import { sameJson } from '../schema/same-json.js'
import { decodeValue } from './decode-object.js'
import type { CompiledVersion, ResourceType } from './resource-type.js'
import type { ResourceTypes } from './resource-types.js'

/** A served type and the ways between its objects and those that admission works on. */
interface Form {
  readonly type: ServedType
  readonly version: CompiledVersion
  /** Must be given a copy: converting may change it. */
  fromDraft(copy: ApiObject): ApiObject
  toDraft(object: ApiObject): ApiObject
}

const known = new WeakMap<ResourceType, readonly Form[]>()

/** The forms of a type's own objects, those of types that share its storage included. */
function formsOf(type: ResourceType, types: ResourceTypes): readonly Form[] {
  let forms = known.get(type)
  if (!forms) {
    const sharing = types.list().filter(each => each.storageKey === type.storageKey)
    forms = sharing.flatMap(each => each.served.map(version => formOf(each, version)))
    known.set(type, forms)
  }
  return forms
}

const formOf = (type: ResourceType, version: CompiledVersion): Form => ({
  type: servedType(type, version, { group: type.group, version: version.name, kind: type.kind }),
  version,
  fromDraft: copy => type.fromStorage(copy, version),
  toDraft: object => type.toStorage(object, version),
})

const servedType = ({ group, resource }: ResourceType, version: CompiledVersion, kind: ServedType['kind']) => ({
  kind,
  resource: { group, version: version.name, resource },
})

/** What an action is about: a body of its own type, under every version of the type it belongs to. */
export interface ActionForm {
  readonly kind: ServedType['kind']
  readonly version: CompiledVersion
}

/** The forms of one request. Nothing is made before somebody asks. */
export class RequestForms implements ServedForms {
  readonly #context: RequestContext
  readonly #draft: ApiObject | undefined
  readonly #stored: ApiObject | undefined
  readonly #forms: readonly Form[]
  readonly #requested: Form

  constructor(
    types: ResourceTypes,
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    draft: ApiObject | undefined,
    stored: ApiObject | undefined,
    action?: ActionForm,
  ) {
    this.#context = context
    this.#draft = draft
    this.#stored = stored
    const forms = formsOf(type, types)
    this.#forms = action ? forms.map(form => actionFormOf(form, action)) : forms
    const isRequested = ({ type: { resource } }: Form) =>
      resource.group === type.group && resource.version === version.name
    this.#requested = this.#forms.find(isRequested) ?? formOf(type, version)
  }

  get requested(): ServedType {
    return this.#requested.type
  }
  equivalents(): readonly ServedType[] {
    return [this.requested, ...this.#forms.filter(form => form !== this.#requested).map(form => form.type)]
  }
  object(as: ServedType): Record<string, unknown> | null {
    return this.#draft ? written(this.#form(as), this.#draft) : null
  }
  oldObject(as: ServedType): Record<string, unknown> | null {
    return this.#stored ? written(this.#form(as), this.#stored) : null
  }

  patchObject(as: ServedType, patch: readonly unknown[]): boolean {
    const draft = this.#draft
    if (!draft) throw internalError('there is no object to change')
    const form = this.#form(as)
    const before = written(form, draft)
    const after = this.#read(form, jsonPatchOrFail(before, patch))
    const isChanged = !sameJson(before, shown(form, copyJson(after)))
    form.version.fillDefaults(after)
    replaceContents(draft, form.toDraft(after))
    return isChanged
  }

  #form(as: ServedType): Form {
    const isWanted = ({ resource }: ServedType) =>
      resource.group === as.resource.group && resource.version === as.resource.version
    const form = [this.#requested, ...this.#forms].find(({ type }) => isWanted(type))
    if (!form) throw new Error(`${as.kind.kind} ${as.kind.version} is no form of this request`)
    return form
  }
  #read({ type, version }: Form, value: unknown): ApiObject {
    try {
      return decodeValue(this.#context, { kind: type.kind.kind }, version, value, 'Ignore')
    } catch (thrown) {
      throw patchFailed(thrown)
    }
  }
}

const actionFormOf = ({ type }: Form, { kind, version }: ActionForm): Form => ({
  type: { kind, resource: type.resource },
  version,
  fromDraft: copy => copy,
  toDraft: object => object,
})

const written = (form: Form, object: ApiObject) => shown(form, form.fromDraft(copyJson(object)))

/** The object as it is written for others, with the fields in their usual order. Changes `object`. */
function shown({ type, version }: Form, object: ApiObject): Record<string, unknown> {
  version.settle(object)
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  return { kind: type.kind.kind, apiVersion: version.groupVersion, metadata, ...rest }
}

function jsonPatchOrFail(document: unknown, patch: readonly unknown[]): unknown {
  try {
    return jsonPatch(document, patch)
  } catch (thrown) {
    throw patchFailed(thrown)
  }
}

/** The client did nothing wrong: whoever patches in its request did. */
function patchFailed(thrown: unknown): unknown {
  return thrown instanceof ApiError ? internalError(thrown.message, { cause: thrown }) : thrown
}

/** The draft stays the same object: others hold on to it. */
function replaceContents(draft: ApiObject, next: ApiObject): void {
  for (const field of Object.keys(draft)) delete draft[field]
  Object.assign(draft, next)
}

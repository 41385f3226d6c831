import { ApiError, type ApiObject, internalError, type ServedType } from 'orch/sdk'
import type { ServedForms } from 'orch/sdk/host'
import type { ConvertObjects } from 'orch/sdk/server'
import { copyJson, sameJson } from '../../libs/json/index.js'
import { jsonPatch } from '../apply/json-patch.js'
import { mergeFields } from '../apply/merge-fields.js'
import type { RequestContext } from '../contracts/request-context.js'
import { derive } from '../schema/derive.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { decodeValue } from './decode-object.js'

/** A served version, and the conversions between its objects and those that admission works on. */
interface Form {
  readonly type: ServedType
  readonly version: CompiledVersion
  /** Whether the objects that admission works on already have this form. */
  readonly isDraftForm: boolean
  /** Pass a copy: converting may change it. */
  fromDraft(copy: ApiObject): ApiObject
  toDraft(object: ApiObject): ApiObject
  /** Set if a webhook converts the objects of this version. */
  readonly convert?: ConvertObjects
}

/** The forms of a type's own objects, those of types that share its storage included. */
function formsOf(type: ResourceType, types: ResourceTypes): readonly Form[] {
  return derive(
    type,
    () => {
      const sharing = types.list().filter(each => each.storageKey === type.storageKey)
      return sharing.flatMap(each => each.served.map(version => formOf(each, version)))
    },
    formOf,
  )
}

const formOf = (type: ResourceType, version: CompiledVersion): Form => ({
  type: servedType(type, version, { group: type.group, version: version.name, kind: type.kind }),
  version,
  isDraftForm: type.isStoredForm(version),
  fromDraft: copy => type.fromStorage(copy, version),
  toDraft: object => type.toStorage(object, version),
  ...(typeof type.definition.conversion === 'function' ? { convert: type.definition.conversion } : {}),
})

const servedType = ({ group, resource }: ResourceType, version: CompiledVersion, kind: ServedType['kind']) => ({
  kind,
  resource: { group, version: version.name, resource },
})

/** The body of an action: it has its own type, the same for every version of the type that the action belongs to. */
export interface ActionForm {
  readonly kind: ServedType['kind']
  readonly version: CompiledVersion
}

/** What the forms are derived from. */
export interface FormParts {
  /** The write, and its version. */
  readonly target: {
    readonly type: ResourceType
    readonly version: CompiledVersion
    readonly context: RequestContext
    readonly services: { readonly types: ResourceTypes }
  }
  readonly draft: ApiObject | undefined
  readonly stored: ApiObject | undefined
  readonly action: ActionForm | undefined
  /** Whether the object may no longer be changed. */
  isReadOnly(): boolean
}

/** The forms of one request, created on first use. */
export class RequestForms implements ServedForms {
  readonly #parts: FormParts
  readonly #forms: readonly Form[]
  readonly #requested: Form
  /** Results of webhook conversions, by form, with their input. */
  readonly #prepared = new Map<
    Form,
    { readonly draft: ApiObject | undefined; readonly stored: ApiObject | undefined }
  >()

  constructor(parts: FormParts) {
    const { target, action } = parts
    const { type, version, services } = target
    this.#parts = parts
    const forms = formsOf(type, services.types)
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
  prepare(as: ServedType): void | Promise<void> {
    const form = this.#form(as)
    if (form.convert && form.version !== this.#requested.version) return this.#convertFor(form, form.convert)
  }
  object(as: ServedType): Record<string, unknown> | null {
    const form = this.#form(as)
    const { draft } = this.#preparedFor(form)
    return draft ? written(form, draft) : null
  }
  oldObject(as: ServedType): Record<string, unknown> | null {
    const form = this.#form(as)
    const { stored } = this.#preparedFor(form)
    return stored ? written(form, stored) : null
  }
  readable(as: ServedType, which: 'object' | 'oldObject'): Readonly<Record<string, unknown>> | null {
    const form = this.#form(as)
    const { draft, stored } = this.#preparedFor(form)
    const object = which === 'object' ? draft : stored
    return object ? readable(form, object) : null
  }

  patchObject(as: ServedType, patch: readonly unknown[]): boolean | Promise<boolean> {
    return this.#change(as, before => jsonPatchOrFail(before, patch))
  }
  mergeObject(as: ServedType, fields: Readonly<Record<string, unknown>>): boolean | Promise<boolean> {
    return this.#change(as, (before, { model }) => mergeFields(before, fields, model))
  }

  #change(
    as: ServedType,
    change: (before: Record<string, unknown>, version: CompiledVersion) => unknown,
  ): boolean | Promise<boolean> {
    const { draft, isReadOnly } = this.#parts
    if (!draft) throw internalError('there is no object to change')
    if (isReadOnly()) throw new Error('a validating control cannot change the object')
    const form = this.#form(as)
    const before = written(form, this.#preparedFor(form).draft ?? draft)
    const after = this.#read(form, change(before, form.version))
    const isChanged = !sameJson(before, shown(form, copyJson(after)))
    form.version.fillDefaults(after)
    const { version } = this.#requested
    if (!form.convert || form.version === version) {
      replaceContents(draft, form.toDraft(after))
      return isChanged
    }
    return form.convert([after], form.version.name, version.name).then(([object]) => {
      replaceContents(draft, object!)
      return isChanged
    })
  }

  async #convertFor(form: Form, convert: ConvertObjects): Promise<void> {
    const { draft, stored } = this.#parts
    const objects = [draft, stored].flatMap(object => (object ? [copyJson(object)] : []))
    const converted = [...(await convert(objects, this.#requested.version.name, form.version.name))]
    this.#prepared.set(form, {
      draft: draft ? converted.shift() : undefined,
      stored: stored ? converted.shift() : undefined,
    })
  }
  #preparedFor(form: Form): Pick<FormParts, 'draft' | 'stored'> {
    if (!form.convert || form.version === this.#requested.version) return this.#parts
    const prepared = this.#prepared.get(form)
    if (!prepared) throw new Error(`${form.type.kind.kind} ${form.version.name} was not prepared`)
    return prepared
  }

  #form(as: ServedType): Form {
    if (as === this.#requested.type) return this.#requested
    const isWanted = ({ resource }: ServedType) =>
      resource.group === as.resource.group && resource.version === as.resource.version
    const form = [this.#requested, ...this.#forms].find(({ type }) => isWanted(type))
    if (!form) throw new Error(`${as.kind.kind} ${as.kind.version} is not a form of this request`)
    return form
  }
  #read({ type, version }: Form, value: unknown): ApiObject {
    try {
      return decodeValue(this.#parts.target.context, { kind: type.kind.kind }, version, value, 'Ignore')
    } catch (thrown) {
      throw patchFailed(thrown)
    }
  }
}

const actionFormOf = ({ type }: Form, { kind, version }: ActionForm): Form => ({
  type: { kind, resource: type.resource },
  version,
  isDraftForm: true,
  fromDraft: copy => copy,
  toDraft: object => object,
})

const written = (form: Form, object: ApiObject) => shown(form, form.fromDraft(copyJson(object)))

/** Like `written`, for readers: nothing is copied unless it has to be converted. Fields are in no particular order. */
function readable(form: Form, object: ApiObject): Readonly<Record<string, unknown>> {
  const { type, version, isDraftForm, fromDraft } = form
  const shownObject = isDraftForm ? object : fromDraft(copyJson(object))
  return version.view(shownObject, { kind: type.kind.kind, apiVersion: version.groupVersion }) as Record<
    string,
    unknown
  >
}

/** The object as it is sent to webhooks, with the fields in their usual order. Changes `object`. */
function shown({ type, version }: Form, object: ApiObject): Record<string, unknown> {
  version.normalize(object)
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  const own = { kind: type.kind.kind, apiVersion: version.groupVersion }
  // Options have none.
  return version.model.fields.has('metadata') ? { ...own, metadata, ...rest } : { ...own, ...rest }
}

function jsonPatchOrFail(document: unknown, patch: readonly unknown[]): unknown {
  try {
    return jsonPatch(document, patch)
  } catch (thrown) {
    throw patchFailed(thrown)
  }
}

/** The error is that of the control that patched, not of the client. */
function patchFailed(thrown: unknown): unknown {
  return thrown instanceof ApiError ? internalError(thrown.message, { cause: thrown }) : thrown
}

/** The draft stays the same object: others have references to it. */
function replaceContents(draft: ApiObject, next: ApiObject): void {
  for (const field of Object.keys(draft)) delete draft[field]
  Object.assign(draft, next)
}

import type { ApiObject } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { writeJson } from '../../libs/json/index.js'
import { encodeAttributes, isVersionMarked, storedVersionOf, versionMark } from '../storage/attributes.js'
import type { CollectionForm, StoredForm } from '../storage/versioned-store.js'
import type { CompiledVersion } from './compiled-version.js'
import { type ResourceType, shapedBy } from './resource-type.js'
import { fromStoredBody } from './stored-json.js'

/** The attributes of an object of the storage version. */
export function attributesOf(type: ResourceType, object: ApiObject): Buffer {
  const fields = selectedFields(type, object, type.definition.selectableFields)
  const { labels = {} } = object.metadata
  return encodeAttributes({ version: storedVersion(type, object).storedMark, labels, fields })
}

/** The attributes that selectors use, of an object that was converted to another version. */
export const attributesIn = (type: ResourceType, version: CompiledVersion, object: ApiObject): Buffer =>
  encodeAttributes({
    labels: object.metadata.labels ?? {},
    fields: selectedFields(type, object, version.definition.selectableFields),
  })

function selectedFields(
  { namespaced }: ResourceType,
  object: ApiObject,
  selectable: ResourceType['definition']['selectableFields'],
): Record<string, string> {
  const { name = '', namespace = '' } = object.metadata
  const fields: Record<string, string> = { 'metadata.name': name }
  if (namespaced) fields['metadata.namespace'] = namespace
  if (selectable) {
    for (const field of Object.keys(selectable))
      fields[field] = (selectable[field] as (o: ApiObject) => string)(object) ?? ''
  }
  return fields
}

/** The version that an object is stored in. Objects that are converted externally name it; it may be an older one. */
function storedVersion(type: ResourceType, { apiVersion }: ApiObject): CompiledVersion {
  const isOwn = typeof type.definition.conversion === 'function' && apiVersion !== undefined
  return (isOwn ? type.version(apiVersion) : undefined) ?? type.origin.storage
}

/** How the objects of a type are stored. `unmarked` is the version of those that were written before versions were stored. */
export function storedFormOf(type: ResourceType, unmarked = type.storage.name): CollectionForm {
  if (typeof type.definition.conversion === 'function') return externalForm(type, unmarked)
  const mark = versionMark(type.storage.storedMark)
  const isUnmarkedCurrent = unmarked === type.storage.storedMark
  return {
    isCurrent(bytes, start, end) {
      if (end - start >= mark.length) {
        let length = 0
        while (length < mark.length && bytes[start + length] === mark[length]) length++
        if (length === mark.length) return true
      }
      return isUnmarkedCurrent && !isVersionMarked(bytes, start, end)
    },
    convert: stored => convert(type, stored, storedVersionOf(stored.attributes) ?? unmarked),
  }
}

/** Objects that only an external converter can convert are read in the version they are stored in, which they name. */
function externalForm(type: ResourceType, unmarked: string): CollectionForm {
  const current = versionMark(type.storage.storedMark)
  return {
    isCurrent: () => false,
    isOutdated: attributes => !attributes.subarray(0, current.length).equals(current),
    convert({ body, attributes }) {
      const name = storedVersionOf(attributes) ?? unmarked
      const version = type.version(name)
      if (version === undefined) throw unknownVersion(type, fromStoredBody(body), name)
      const object = shaped(version, fromStoredBody(body))
      return { body: Buffer.from(writeJson({ ...object, apiVersion: name })), attributes }
    },
  }
}

/** The object under the current schema: unknown fields are pruned and defaults are filled in. */
const shaped = (version: CompiledVersion, object: ApiObject): ApiObject =>
  version.definition.storedForm === undefined ? object : shapedBy(version, object)

function unknownVersion(type: ResourceType, { metadata }: ApiObject, version: string): StorageError {
  const { namespace, name } = metadata
  const which = namespace === undefined ? (name ?? 'of unknown name') : `${namespace}/${name}`
  const message = `${type.resource} ${which} is stored in version ${version}, which plugin "${type.plugin}" does not know`
  return new StorageError('unreadable', message)
}

function convert(type: ResourceType, { body }: StoredForm, storedVersion: string): StoredForm {
  const object = fromStoredBody(body)
  const version = type.version(storedVersion)
  if (version === undefined) throw unknownVersion(type, object, storedVersion)
  const { resourceVersion } = object.metadata
  const { metadata, ...rest } = type.toStorage(shaped(version, object), version)
  const converted: ApiObject = { ...rest, metadata: { ...metadata } }
  type.storage.fillDefaults(converted)
  type.storage.normalize(converted)
  const { metadata: meta, ...content } = converted
  return {
    // As the store returns it: resourceVersion first.
    body: Buffer.from(writeJson({ metadata: { resourceVersion, ...withoutVersion(meta) }, ...content })),
    attributes: attributesOf(type, converted),
  }
}

const withoutVersion = ({ resourceVersion: _, ...meta }: ApiObject['metadata']) => meta

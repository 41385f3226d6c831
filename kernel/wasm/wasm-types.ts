import {
  type ApiObject,
  ageColumn,
  type Cell,
  type Column,
  type FieldError,
  Kind,
  nameColumn,
  pathColumn,
  type ResourceDefinition,
  type Strategy,
  type StrategyContext,
  strategyForSpec,
  strategyForStatus,
  type TSchema,
  type VersionDefinition,
} from 'orch/sdk'
import { isObject, type JsonObject, setOwn } from '../../libs/json/index.js'
import { readFieldError } from '../contracts/read-field-error.js'
import type { ManifestType } from './manifest.js'
import { fieldsOf, schemaFromJson } from './manifest-schema.js'
import { isTexts } from './wasm-admission.js'
import { invalidReply, type WasmCalls } from './wasm-calls.js'
import { WasmFailure } from './wasm-failure.js'

/** Objects of a type with a status. */
type WithStatus = ApiObject & { spec?: unknown; status?: unknown }

/** A resource type whose rules are functions of a module. */
export function wasmType(type: ManifestType, calls: WasmCalls): ResourceDefinition {
  const { validate, columns = [], versions, status = false, ...names } = type
  const rules: Strategy<ApiObject> = validate === undefined ? {} : validation(validate, calls)
  return {
    ...names,
    versions: versions.map(version => wasmVersion(type, version, calls)),
    strategy: status ? strategyForSpec<WithStatus>(rules) : rules,
    ...(status ? { subresources: { status: { kind: 'update', strategy: strategyForStatus<WithStatus>() } } } : {}),
    ...(columns.length === 0 ? {} : { columns: [nameColumn, ...columns.map(each => column(each, calls)), ageColumn] }),
  }
}

type ManifestVersion = ManifestType['versions'][number]
function wasmVersion(type: ManifestType, version: ManifestVersion, calls: WasmCalls): VersionDefinition {
  const { defaults, toStorage, fromStorage, schema, ...declared } = version
  const storage = type.versions.find(each => each.storage)?.name ?? version.name
  const typeName = `${type.group}.${version.name}.${type.kind}`
  return {
    ...declared,
    protobuf: false,
    schema: Kind(typeName, ownFields(schemaFromJson(schema, typeName), typeName)),
    ...(defaults === undefined ? {} : { defaults: (object: ApiObject) => fillDefaults(defaults, object, calls) }),
    ...(toStorage === undefined ? {} : { toStorage: conversion(toStorage, version.name, storage, calls) }),
    ...(fromStorage === undefined ? {} : { fromStorage: conversion(fromStorage, storage, version.name, calls) }),
  }
}

function ownFields(schema: TSchema, typeName: string): Record<string, TSchema> {
  const fields = fieldsOf(schema)
  if (!fields) throw new WasmFailure(`the schema ${typeName} cannot be used: it must be an object with properties`)
  const taken = Object.keys(fields).find(name => keptKeys.includes(name))
  if (taken) throw new WasmFailure(`the schema ${typeName} cannot be used: every type has ${taken}; omit it`)
  return fields
}

function validation(name: string, calls: WasmCalls): Strategy<ApiObject> {
  const check = (object: ApiObject, oldObject: ApiObject | null, context: StrategyContext): FieldError[] => {
    const { warn, vendor: _, ...request } = context
    const read = (reply: JsonObject): FieldError[] => {
      const { errors = [], warnings = [] } = reply
      if (!Array.isArray(errors)) throw invalidReply(name, '"errors" must be a list')
      if (!isTexts(warnings)) throw invalidReply(name, '"warnings" must be a list of strings')
      for (const text of warnings) context.warn?.(text)
      return errors.map((error: unknown) => fieldErrorFrom(name, error))
    }
    return calls.call(name, { object, oldObject, context: request }, read, [])
  }
  return {
    validate: (object, context) => check(object, null, context),
    validateUpdate: (object, stored, context) => check(object, stored, context),
  }
}

function fieldErrorFrom(name: string, error: unknown): FieldError {
  const read = readFieldError(error)
  if (!read)
    throw invalidReply(name, 'an error needs a "field", a "detail" and, if given, a "type" such as FieldValueInvalid')
  return read
}

function readObject(name: string, { object }: JsonObject): JsonObject {
  if (!isObject(object)) throw invalidReply(name, '"object" must be an object')
  return object
}
/** Keys that a module cannot change. */
const keptKeys = ['apiVersion', 'kind', 'metadata']

function fillDefaults(name: string, object: ApiObject, calls: WasmCalls): void {
  const filled = calls.call(name, { object }, reply => readObject(name, reply), object)
  if (filled === object) return
  for (const key of Object.keys(object)) if (!keptKeys.includes(key)) delete object[key]
  for (const [key, value] of Object.entries(filled)) if (!keptKeys.includes(key)) setOwn(object, key, value)
}

/** A failed conversion always fails the request: an object in another version is not what the client asked for. */
function conversion(name: string, from: string, to: string, calls: WasmCalls): (object: ApiObject) => ApiObject {
  return object => {
    const converted = calls.call(name, { object, from, to }, reply => readObject(name, reply), object, 'Fail')
    const result: ApiObject = { metadata: object.metadata }
    for (const [key, value] of Object.entries(converted)) if (!keptKeys.includes(key)) setOwn(result, key, value)
    return result
  }
}

type ManifestColumn = NonNullable<ManifestType['columns']>[number]
function column({ function: name, jsonPath, ...declared }: ManifestColumn, calls: WasmCalls): Column<ApiObject> {
  if (jsonPath !== undefined) return pathColumn({ ...declared, jsonPath })
  if (name === undefined)
    throw new WasmFailure(`the column "${declared.name}" cannot be used: it needs a jsonPath or a function`)
  const read = ({ cell = null }: JsonObject): Cell => {
    if (cell === null || typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell
    throw invalidReply(name, '"cell" must be a string, a number, true, false or null')
  }
  // A failing cell does not fail the list.
  return {
    ...declared,
    cell: (object, now) => calls.call(name, { object, now, column: declared.name }, read, '<error>', 'Ignore'),
  }
}

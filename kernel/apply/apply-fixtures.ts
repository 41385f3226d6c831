import {
  type ApiObject,
  AtomicList,
  Bool,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  ListOf,
  MapList,
  MapOf,
  required,
  SetList,
  type Static,
  StringMap,
  Struct,
  Text,
  type TSchema,
  Unstructured,
} from 'orch/sdk'
import { compileDecoder } from '../schema/decode.js'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'
import type { FieldManagerType } from './field-manager-type.js'

/** Types that the tests of this folder share: together they have all markers. */

export const Settings = Kind('test.v1.Settings', {
  data: field(2, StringMap()),
  immutable: kept(4, Bool()),
})

const Port = Struct('test.v1.Port', {
  port: required(1, Int32()),
  protocol: field(2, Text({ default: 'TCP' })),
  name: field(3, Text()),
})
const Part = Struct('test.v1.Part', {
  name: field(1, Text()),
  image: field(2, Text()),
  env: field(3, ListOf(Struct('test.v1.Env', { name: required(1, Text()), value: field(2, Text()) }), byName())),
})
const Limits = Struct('test.v1.Limits', { low: field(1, Int32()), high: field(2, Int32()) }, { mapType: 'atomic' })

export const WidgetSpec = Struct('test.v1.WidgetSpec', {
  size: field(1, Int32()),
  mode: field(2, Text()),
  ports: field(3, MapList(Port, 'port', 'protocol')),
  parts: field(4, ListOf(Part, byName())),
  tags: field(5, SetList(Text())),
  args: field(6, AtomicList(Text())),
  limits: kept(7, Limits),
  settings: field(8, StringMap({ mapType: 'atomic' })),
  extra: field(9, Unstructured()),
  sizes: field(10, MapOf(Struct('test.v1.Size', { width: field(1, Int32()) }))),
})
export const Widget = Kind('test.v1.Widget', {
  spec: embedded(2, WidgetSpec),
  status: embedded(3, Struct('test.v1.WidgetStatus', { phase: field(1, Text()), note: field(2, Text()) })),
})
export type Widget = Static<typeof Widget>

function byName() {
  return { patchStrategy: 'merge', patchMergeKey: 'name' } as const
}

export const modelOf = (schema: TSchema): StructNode => buildTypeModel(schema) as StructNode

/** A type with one version. */
export function typeOf(schema: TSchema, overrides: Partial<FieldManagerType> = {}): FieldManagerType {
  const model = modelOf(schema)
  return {
    groupVersion: 'v1',
    kind: 'Thing',
    model,
    modelOf: version => (version === 'v1' ? model : undefined),
    convert: object => object,
    resetFields: [],
    timesSharedFields: true,
    subresource: '',
    ...overrides,
  }
}

/** Decodes an object as the kernel does before it stores it: nulls and empty values are dropped, zero values are filled in. */
export function decoded(type: FieldManagerType, object: ApiObject): ApiObject {
  const { apiVersion: _, kind: __, ...fields } = object
  return compileDecoder(type.model)(fields) as ApiObject
}

/** The fields of each owner, such as `m1 Apply`. */
export const ownersIn = (object: ApiObject): Record<string, unknown> =>
  Object.fromEntries(
    (object.metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter(Boolean).join(' '),
      fieldsV1,
    ]),
  )

/** A moment; `later(n)` is n seconds after it. */
export const start = Date.parse('2024-05-01T10:00:00Z')
export const later = (seconds: number): number => start + seconds * 1000

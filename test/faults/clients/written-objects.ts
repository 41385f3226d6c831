import type { Version } from '../checker/version.js'

/** The objects that clients write, each with a unique value. */
export interface WrittenType {
  readonly collectionPath: string
  /** How errors name it in `details.kind`. */
  readonly kind: RegExp
  make(key: string, value: string, resourceVersion?: number): object
  /** Reads the fields that `make` sets. */
  contents(object: WrittenObject): Contents | undefined
}
export interface WrittenObject {
  readonly metadata: {
    readonly name: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly data?: Contents
  readonly spec?: Contents
}
interface Contents {
  readonly value?: string
  readonly padding?: string
}

export const namespaceName = 'faults'

/** Few shared keys, so that clients often conflict. */
export const sharedKeys: readonly string[] = Array.from({ length: 6 }, (_, index) => `key-${index}`)
/** Written only while all is quiet, last of all. */
export const barrierKey = 'key-barrier'
/** Control loops create config maps in every namespace, too. */
export const isOurs = (key: string): boolean => key.startsWith('key-')

/** Some values are long, so that responses can be cut in the middle. The value contains the length. */
export const makeValue = (writer: string, count: number, paddingLength: number): string =>
  `${writer}.${count}.${paddingLength}`
const paddingOf = (value: string): string => 'x'.repeat(Number(value.split('.')[2] ?? 0))

const contentsOf = (value: string): Contents => ({ value, padding: paddingOf(value) })
const metadataOf = (name: string, resourceVersion: number | undefined) => ({
  name,
  ...(resourceVersion === undefined ? {} : { resourceVersion: String(resourceVersion) }),
})

export const configMaps: WrittenType = {
  collectionPath: `/api/v1/namespaces/${namespaceName}/configmaps`,
  kind: /^configmaps?$/i,
  make: (key, value, resourceVersion) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(key, resourceVersion),
    data: contentsOf(value),
  }),
  contents: ({ data }) => data,
}

const group = 'faults.test'

/** The definition of a type with this plural. */
export const definitionOf = (plural: string): object => ({
  apiVersion: 'apiextensions.orch.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind: plural[0]!.toUpperCase() + plural.slice(1, -1) },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
})
const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', required: ['value'], properties: { value: text, padding: text } } },
}
export const definitionsPath = '/apis/apiextensions.orch.io/v1/customresourcedefinitions'
export const definedPath = (plural: string): string => `/apis/${group}/v1/namespaces/${namespaceName}/${plural}`

/** Objects of a custom type. */
export const customObjects: WrittenType & { readonly definition: object } = {
  definition: definitionOf('notes'),
  collectionPath: definedPath('notes'),
  kind: /^notes?$/i,
  make: (key, value, resourceVersion) => ({
    apiVersion: `${group}/v1`,
    kind: 'Note',
    metadata: metadataOf(key, resourceVersion),
    spec: contentsOf(value),
  }),
  contents: ({ spec }) => spec,
}

export function versionOf(type: WrittenType, object: WrittenObject): Version {
  const { metadata } = object
  const contents = type.contents(object)
  const value = contents?.value ?? 'without value'
  const isWhole = contents?.padding === paddingOf(value)
  return {
    key: metadata.name,
    revision: Number(metadata.resourceVersion),
    value: isWhole ? value : `damaged ${value}`,
    uid: metadata.uid ?? '',
  }
}

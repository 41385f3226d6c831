import type { VersionDefinition } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import type { Steps } from '../contracts/turns.js'
import { conventionsOf } from '../types/conventions.js'
import type { ServedType } from './operation.js'

/** The paths of a document and the schemas that they refer to. An unchanged item remains the same object, so its text can be cached. */
export interface DocumentContents {
  readonly paths: JsonObject
  readonly schemas: JsonObject
  /** Parameters that operations refer to, by their names. */
  readonly parameters?: JsonObject
}
/** Describes some types. */
export type DescribeTypes = (types: readonly ServedType[]) => Steps<DocumentContents>

/**
 * The contents of a document about types that change at run time. Types of plugins are described together, because they share most of
 * their schemas; each custom type is a separate part, which is built once.
 */
export class DocumentParts {
  readonly #describe: DescribeTypes
  readonly #described = new WeakMap<VersionDefinition, DocumentContents>()
  #ofPlugins: { readonly types: readonly ServedType[]; readonly contents: DocumentContents } | undefined

  constructor(describe: DescribeTypes) {
    this.#describe = describe
  }

  *contents(types: readonly ServedType[]): Steps<DocumentContents> {
    const ofPlugins = types.filter(type => !isSeparateDocumentPart(type))
    if (!this.#ofPlugins || !areSameTypes(this.#ofPlugins.types, ofPlugins))
      this.#ofPlugins = { types: ofPlugins, contents: yield* this.#describe(ofPlugins) }
    const parts = [this.#ofPlugins.contents]
    for (const type of types) {
      if (!isSeparateDocumentPart(type)) continue
      let part = this.#described.get(type.version)
      if (!part) this.#described.set(type.version, (part = yield* this.#describe([type])))
      parts.push(part)
    }
    return yield* merged(parts)
  }
}

const isSeparateDocumentPart = ({ definition }: ServedType) => conventionsOf(definition).openApi.isSeparateDocumentPart

export const areSameTypes = (left: readonly ServedType[], right: readonly ServedType[]): boolean =>
  left.length === right.length && left.every(({ version }, index) => version === right[index]!.version)

function* merged(parts: readonly DocumentContents[]): Steps<DocumentContents> {
  const paths = new Map<string, unknown>()
  const schemas = new Map<string, JsonObject>()
  const parameters = new Map<string, unknown>()
  /** The kinds of each schema that occurs in several parts: every part lists only its own kinds. */
  const kinds = new Map<string, Map<string, unknown>>()
  for (const part of parts) {
    for (const path in part.paths) paths.set(path, part.paths[path])
    for (const name in part.parameters) parameters.set(name, part.parameters[name])
    for (const name in part.schemas) {
      const schema = part.schemas[name] as JsonObject
      const known = schemas.get(name)
      if (!known) schemas.set(name, schema)
      else if (known !== schema) collectKinds(kinds, name, known, schema)
    }
    yield
  }
  for (const [name, found] of kinds) schemas.set(name, withKinds(schemas.get(name)!, [...found.values()]))
  // Ten thousand names take a while to sort.
  yield
  const sortedPaths = sorted(paths)
  yield
  const sortedSchemas = sorted(schemas)
  yield
  return { paths: sortedPaths, schemas: sortedSchemas, parameters: sorted(parameters) }
}

const isKinds = (keyword: string) => keyword.startsWith('x-') && keyword.endsWith('-group-version-kind')
const kindsOf = (schema: JsonObject): readonly unknown[] => {
  for (const keyword in schema) if (isKinds(keyword)) return schema[keyword] as unknown[]
  return []
}

function collectKinds(all: Map<string, Map<string, unknown>>, name: string, ...schemas: readonly JsonObject[]): void {
  let found = all.get(name)
  if (!found) all.set(name, (found = new Map()))
  // The kinds of the first schema are collected along with those of the second.
  for (const schema of found.size === 0 ? schemas : schemas.slice(-1))
    for (const kind of kindsOf(schema)) found.set(JSON.stringify(kind), kind)
}

const withKinds = (schema: JsonObject, kinds: readonly unknown[]): JsonObject =>
  kinds.length === 0
    ? schema
    : Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, isKinds(keyword) ? kinds : value]))

const sorted = (items: ReadonlyMap<string, unknown>): JsonObject =>
  Object.fromEntries([...items].sort(([left], [right]) => (left < right ? -1 : 1)))

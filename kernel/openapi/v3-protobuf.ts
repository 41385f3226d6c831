import type { JsonObject } from '../../libs/json/index.js'
import type { Turns } from '../contracts/turns.js'
import { WireWriter } from '../representation/protobuf/wire-writer.js'

/**
 * The document of a group and version in the Protobuf form of OpenAPI v3: Google's gnostic `openapi.v3.Document`. The numbers below are
 * those of its OpenAPIv3.proto; only what our documents contain is written.
 */
export async function encodeOpenApiV3(document: JsonObject, turns: Turns): Promise<Buffer> {
  const encode = new GnosticV3Encoder()
  encode.text(1, document['openapi'])
  encode.message(2, document['info'], info => {
    encode.text(1, info['title'])
    encode.text(6, info['version'])
  })
  const { schemas } = document['components'] as { schemas: JsonObject }
  const paths = await itemsOf(1, document['paths'] as JsonObject, (each, item) => each.pathItem(item), turns)
  const components = await itemsOf(1, schemas, (each, schema) => each.schemaOrReference(schema), turns)
  // Components hold schemas, which hold the named ones.
  const ofSchemas = [messageHead(1, components), ...components]
  return Buffer.concat([encode.toBytes(), messageHead(4, paths), ...paths, messageHead(5, ofSchemas), ...ofSchemas])
}

const messageHead = (number: number, parts: readonly Buffer[]): Buffer =>
  new WireWriter(16)
    .unsigned((number << 3) | 2)
    .unsigned(parts.reduce((length, part) => length + part.length, 0))
    .toBytes()

/** The items of a map as a list of name and value, in turns. */
async function itemsOf(
  number: number,
  map: JsonObject,
  write: (encode: GnosticV3Encoder, item: JsonObject) => void,
  turns: Turns,
): Promise<readonly Buffer[]> {
  const parts: Buffer[] = []
  for (const [name, item] of Object.entries(map)) {
    const encode = new GnosticV3Encoder()
    encode.named(number, { [name]: item }, value => write(encode, value))
    parts.push(encode.toBytes())
    const wait = turns.next()
    if (wait) await wait
  }
  return parts
}

const operations = { get: 4, put: 5, post: 6, delete: 7, patch: 10 } as const
const texts = { title: 9, pattern: 17, type: 25, description: 34, format: 35 } as const
const numbers = { multipleOf: 10, maximum: 11, minimum: 13 } as const
const lengths = {
  maxLength: 15,
  minLength: 16,
  maxItems: 18,
  minItems: 19,
  maxProperties: 21,
  minProperties: 22,
} as const
const flags = { nullable: 1, exclusiveMaximum: 12, exclusiveMinimum: 14, uniqueItems: 20 } as const
const parts = { allOf: 26, oneOf: 27, anyOf: 28 } as const

class GnosticV3Encoder {
  readonly #writer = new WireWriter()

  toBytes(): Buffer {
    return this.#writer.toBytes()
  }
  text(number: number, value: unknown): void {
    if (typeof value === 'string' && value !== '') this.#writer.unsigned((number << 3) | 2).text(value)
  }
  message(number: number, value: unknown, write: (value: JsonObject) => void): void {
    if (value === undefined || value === null) return
    const start = this.#writer.unsigned((number << 3) | 2).begin()
    write(value as JsonObject)
    this.#writer.end(start)
  }
  named(number: number, map: unknown, write: (value: JsonObject) => void): void {
    for (const [name, value] of Object.entries((map ?? {}) as JsonObject))
      this.message(number, {}, () => {
        this.text(1, name)
        this.message(2, value, write)
      })
  }

  pathItem(item: JsonObject): void {
    for (const [method, number] of Object.entries(operations))
      this.message(number, item[method], operation => this.#operation(operation))
    this.#parameters(13, item)
  }

  schemaOrReference(schema: JsonObject): void {
    const { $ref } = schema
    if (typeof $ref === 'string') this.message(2, schema, () => this.text(1, $ref))
    else this.message(1, schema, () => this.#schema(schema))
  }

  #operation(operation: JsonObject): void {
    for (const tag of (operation['tags'] ?? []) as string[]) this.text(1, tag)
    this.text(3, operation['description'])
    this.text(5, operation['operationId'])
    this.#parameters(6, operation)
    this.message(7, operation['requestBody'], body =>
      this.message(1, body, () => {
        this.#content(2, body['content'])
        this.#flag(3, body['required'])
      }),
    )
    this.message(8, operation['responses'], responses =>
      this.named(2, responses, response =>
        this.message(1, response, () => {
          this.text(1, response['description'])
          this.#content(3, response['content'])
        }),
      ),
    )
    this.#extensions(13, operation)
  }

  #parameters(number: number, of: JsonObject): void {
    for (const parameter of (of['parameters'] ?? []) as JsonObject[])
      this.message(number, parameter, () =>
        this.message(1, parameter, () => {
          this.text(1, parameter['name'])
          this.text(2, parameter['in'])
          this.text(3, parameter['description'])
          this.#flag(4, parameter['required'])
          this.message(10, parameter['schema'], schema => this.schemaOrReference(schema))
        }),
      )
  }

  #content(number: number, content: unknown): void {
    this.message(number, content, types =>
      this.named(1, types, type => this.message(1, type['schema'], schema => this.schemaOrReference(schema))),
    )
  }

  #schema(schema: JsonObject): void {
    for (const [keyword, number] of Object.entries(flags)) this.#flag(number, schema[keyword])
    for (const [keyword, number] of Object.entries(texts)) this.text(number, schema[keyword])
    for (const [keyword, number] of Object.entries(numbers)) {
      const value = schema[keyword]
      if (typeof value === 'number') this.#writer.unsigned((number << 3) | 1).double(value)
    }
    for (const [keyword, number] of Object.entries(lengths)) {
      const value = schema[keyword]
      if (typeof value === 'number' && value !== 0) this.#writer.unsigned(number << 3).integer(value)
    }
    for (const name of (schema['required'] ?? []) as string[]) this.text(23, name)
    for (const value of (schema['enum'] ?? []) as unknown[]) this.#any(24, value)
    for (const [keyword, number] of Object.entries(parts))
      for (const part of (schema[keyword] ?? []) as JsonObject[])
        this.message(number, part, () => this.schemaOrReference(part))
    this.message(29, schema['not'], not => this.#schema(not))
    this.message(30, schema['items'], items => this.message(1, items, () => this.schemaOrReference(items)))
    this.message(31, schema['properties'], fields => this.named(1, fields, field => this.schemaOrReference(field)))
    const values = schema['additionalProperties']
    if (typeof values === 'boolean') this.message(32, {}, () => this.#flag(2, values))
    else this.message(32, values, each => this.message(1, each, () => this.schemaOrReference(each)))
    this.#default(schema['default'])
    this.#extensions(36, schema)
  }

  /** Only scalars are supported here. */
  #default(value: unknown): void {
    if (typeof value === 'number') this.message(33, {}, () => this.#writer.unsigned((1 << 3) | 1).double(value))
    else if (typeof value === 'boolean') this.message(33, {}, () => this.#flag(2, value))
    else if (typeof value === 'string') this.message(33, {}, () => this.text(3, value))
  }

  #extensions(number: number, object: JsonObject): void {
    for (const [name, value] of Object.entries(object)) {
      if (!name.startsWith('x-')) continue
      this.message(number, {}, () => {
        this.text(1, name)
        this.#any(2, value)
      })
    }
  }
  /** Any value, as YAML; JSON is YAML. */
  #any(number: number, value: unknown): void {
    this.message(number, {}, () => this.text(2, JSON.stringify(value)))
  }
  #flag(number: number, value: unknown): void {
    if (value === true) this.#writer.unsigned(number << 3).unsigned(1)
  }
}

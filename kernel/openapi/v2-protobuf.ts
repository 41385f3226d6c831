import type { JsonObject } from '../../libs/json/index.js'
import type { Turns } from '../contracts/turns.js'
import { WireWriter } from '../representation/protobuf/wire-writer.js'

/**
 * The OpenAPI v2 document in the Protobuf form that the usual command-line client requests
 * (`application/com.github.proto-openapi.spec.v2@v1.0+protobuf`): Google's gnostic `openapi.v2.Document`. The numbers below
 * are those of its OpenAPIv2.proto; only what our documents contain is written.
 */
export async function encodeOpenApiV2(document: JsonObject, items: ItemBytes, turns: Turns): Promise<Buffer> {
  const writer = new WireWriter()
  const encode = new GnosticEncoder(writer)
  encode.text(1, document['swagger'])
  encode.message(2, document['info'], info => {
    encode.text(1, info['title'])
    encode.text(2, info['version'])
  })
  const paths = await items.all(2, document['paths'] as JsonObject, (each, item) => each.pathItem(item), turns)
  const definitions = await items.all(
    1,
    document['definitions'] as JsonObject,
    (each, schema) => each.schema(schema),
    turns,
  )
  const shared = (document['parameters'] ?? {}) as JsonObject
  const parameters = await items.all(1, shared, (each, parameter) => each.parameter(parameter), turns)
  return Buffer.concat([
    ...[writer.toBytes(), lengthOf(8, paths), ...paths, lengthOf(9, definitions), ...definitions],
    ...(parameters.length > 0 ? [lengthOf(10, parameters), ...parameters] : []),
  ])
}

/** The tag and the length of a message that consists of these parts. */
const lengthOf = (number: number, parts: readonly Buffer[]): Buffer =>
  new WireWriter(16)
    .unsigned((number << 3) | 2)
    .unsigned(parts.reduce((length, part) => length + part.length, 0))
    .toBytes()

/** Caches the encoded paths and schemas: most stay the same when types change. */
export class ItemBytes {
  readonly #bytes = new WeakMap<object, Buffer>()
  readonly #writer = new WireWriter()

  /** All items of a map, each with its name. */
  async all(
    number: number,
    map: JsonObject,
    write: (encode: GnosticEncoder, item: JsonObject) => void,
    turns: Turns,
  ): Promise<readonly Buffer[]> {
    const parts: Buffer[] = []
    for (const name in map) {
      const value = this.#of(map[name] as JsonObject, write)
      this.#writer.reset()
      const start = this.#writer.unsigned((number << 3) | 2).begin()
      this.#writer.unsigned((1 << 3) | 2).text(name)
      this.#writer.unsigned((2 << 3) | 2).bytes(value)
      this.#writer.end(start)
      parts.push(this.#writer.toBytes())
      const wait = turns.next()
      if (wait) await wait
    }
    return parts
  }

  #of(item: JsonObject, write: (encode: GnosticEncoder, item: JsonObject) => void): Buffer {
    let bytes = this.#bytes.get(item)
    if (!bytes) {
      this.#writer.reset()
      write(new GnosticEncoder(this.#writer), item)
      this.#bytes.set(item, (bytes = this.#writer.toBytes()))
    }
    return bytes
  }
}

const operationNumbers = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const
const numberKeywords = { multipleOf: 6, maximum: 7, minimum: 9 } as const
const lengthKeywords = {
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  maxProperties: 17,
  minProperties: 18,
} as const

class GnosticEncoder {
  readonly #writer: WireWriter

  constructor(writer: WireWriter) {
    this.#writer = writer
  }

  text(number: number, value: unknown): void {
    if (value !== undefined && value !== '') this.#writer.unsigned((number << 3) | 2).text(String(value))
  }

  message(number: number, value: unknown, write: (value: JsonObject) => void): void {
    if (value === undefined) return
    const start = this.#writer.unsigned((number << 3) | 2).begin()
    write(value as JsonObject)
    this.#writer.end(start)
  }

  /** A map as a list of name and value. */
  named(number: number, map: unknown, write: (value: JsonObject) => void): void {
    for (const [name, value] of Object.entries((map ?? {}) as JsonObject)) {
      this.message(number, { name, value }, () => {
        this.text(1, name)
        this.message(2, value, write)
      })
    }
  }

  pathItem(item: JsonObject): void {
    for (const [method, number] of Object.entries(operationNumbers)) {
      this.message(number, item[method], operation => this.#operation(operation))
    }
    for (const parameter of (item['parameters'] ?? []) as JsonObject[]) this.#parameter(9, parameter)
  }

  schema(schema: JsonObject): void {
    this.text(1, schema['$ref'])
    this.text(2, schema['format'])
    this.text(4, schema['description'])
    this.#any(5, schema['default'])
    for (const [word, number] of Object.entries(numberKeywords)) {
      if (schema[word] !== undefined) this.#writer.unsigned((number << 3) | 1).double(schema[word] as number)
    }
    for (const [word, number] of Object.entries(lengthKeywords)) this.#integer(number, schema[word])
    this.text(13, schema['pattern'])
    this.#flag(16, schema['uniqueItems'])
    for (const name of (schema['required'] ?? []) as string[]) this.text(19, name)
    for (const value of (schema['enum'] ?? []) as unknown[]) this.#any(20, value)
    this.message(21, schema['additionalProperties'], inner => this.message(1, inner, value => this.schema(value)))
    this.message(22, schema['type'], () => this.text(1, schema['type']))
    this.message(23, schema['items'], inner => this.message(1, inner, value => this.schema(value)))
    this.message(25, schema['properties'], inner => this.named(1, inner, value => this.schema(value)))
    this.#extensions(31, schema)
  }

  #operation(operation: JsonObject): void {
    for (const tag of operation['tags'] as string[]) this.text(1, tag)
    this.text(3, operation['description'])
    this.text(5, operation['operationId'])
    for (const type of operation['produces'] as string[]) this.text(6, type)
    for (const type of operation['consumes'] as string[]) this.text(7, type)
    for (const parameter of (operation['parameters'] ?? []) as JsonObject[]) this.#parameter(8, parameter)
    this.message(9, operation['responses'], responses =>
      this.named(1, responses, response => this.message(1, response, value => this.#response(value))),
    )
    for (const scheme of operation['schemes'] as string[]) this.text(10, scheme)
    this.#extensions(13, operation)
  }

  /** A parameter is wrapped twice: it can be a reference, and it can be a body. */
  #parameter(number: number, parameter: JsonObject): void {
    this.message(number, parameter, () => {
      if (parameter['$ref'] === undefined) this.message(1, parameter, () => this.parameter(parameter))
      else this.message(2, parameter, () => this.text(1, parameter['$ref']))
    })
  }
  parameter(parameter: JsonObject): void {
    if (parameter['in'] === 'body') this.message(1, parameter, () => this.#bodyParameter(parameter))
    else this.message(2, parameter, () => this.#plainParameter(parameter))
  }

  #bodyParameter(parameter: JsonObject): void {
    this.text(2, parameter['name'])
    this.text(3, parameter['in'])
    this.#flag(4, parameter['required'])
    this.message(5, parameter['schema'], schema => this.schema(schema))
  }

  #plainParameter(parameter: JsonObject): void {
    const isQuery = parameter['in'] === 'query'
    this.message(isQuery ? 3 : 4, parameter, () => {
      this.#flag(1, parameter['required'])
      this.text(2, parameter['in'])
      this.text(3, parameter['description'])
      this.text(4, parameter['name'])
      this.text(isQuery ? 6 : 5, parameter['type'])
      this.#flag(isQuery ? 20 : 19, parameter['uniqueItems'])
    })
  }

  #response(response: JsonObject): void {
    this.text(1, response['description'])
    this.message(2, response['schema'], schema => this.message(1, schema, value => this.schema(value)))
  }

  #extensions(number: number, object: JsonObject): void {
    for (const [name, value] of Object.entries(object)) {
      if (!name.startsWith('x-')) continue
      this.message(number, object, () => {
        this.text(1, name)
        this.#any(2, value)
      })
    }
  }

  /** Any value, as YAML; JSON is YAML. */
  #any(number: number, value: unknown): void {
    this.message(number, value as JsonObject | undefined, () => this.text(2, JSON.stringify(value)))
  }

  #integer(number: number, value: unknown): void {
    if (value !== undefined && value !== 0) this.#writer.unsigned(number << 3).integer(value as number)
  }

  #flag(number: number, value: unknown): void {
    if (value === true) this.#writer.unsigned(number << 3).unsigned(1)
  }
}

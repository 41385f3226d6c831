import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import {
  kubernetesProfile,
  type Plugin,
  type Registrar,
  type ResourceDefinition,
  type TSchema,
  Type,
  Vendor,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hasProtobuf } from '../../kernel/representation/protobuf/codec.js'
import { type MessageLayout, messageLayout } from '../../kernel/representation/protobuf/message-layout.js'
import { buildTypeModel, type StructNode, type TypeNode } from '../../kernel/schema/type-model.js'
import { root } from '../architecture/sources.js'

/**
 * The messages of Kubernetes 1.23 to 1.36, with those that went in between: `package message number:name:type …`, a line each. Numbers
 * never change, names of types may.
 */
const facts: ReadonlyMap<string, ReadonlyMap<number, { name: string; types: readonly string[] }>> = new Map(
  readFileSync(join(root, 'test/schema/protobuf-messages.txt'), 'utf8')
    .trim()
    .split('\n')
    .map(line => {
      const [pack = '', message = '', ...fields] = line.split(' ')
      const byNumber = fields.map(field => {
        const [, number = '', name = '', type = ''] = /^(\d+):([^:]+):(.+)$/.exec(field) ?? []
        return [Number(number), { name, types: type.split('|') }] as const
      })
      return [`${pack} ${message}`, new Map(byNumber)] as const
    }),
)

/** The schemas of everything that a plugin serves, from what it registers. */
async function schemasOf(plugin: string): Promise<TSchema[]> {
  const module: Record<string, unknown> = await import(join(root, 'dist/plugins', plugin, 'plugin.js'))
  const found = Object.values(module).find(
    (value): value is Plugin => typeof value === 'function' && 'definition' in value,
  )
  const definitions: ResourceDefinition[] = []
  const registrar = new Proxy({} as Registrar, {
    get:
      (_, method) =>
      (...given: ResourceDefinition[]) =>
        method === 'resource' && definitions.push(...given),
  })
  const options = Value.Default(found!.definition.options ?? Type.Object({}), {}) as Record<string, unknown>
  found!.definition.register(registrar, { vendor: new Vendor(kubernetesProfile), options, isEnabled: () => true })
  return definitions.flatMap(({ versions }) => versions.map(({ schema }) => schema as TSchema))
}

const scalarTypes: Readonly<Record<string, string>> = {
  boolean: 'bool',
  time: 'Time',
  microTime: 'MicroTime',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
}
const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** The type of a value as the facts call it; several where they do not tell forms apart. */
function typesOf(node: TypeNode): string[] {
  switch (node.is) {
    case 'struct':
      return [lastOf(node.name)]
    case 'list':
      return typesOf(node.item).map(type => `repeated:${type}`)
    case 'map':
      return node.value.is === 'list' ? ['map:ExtraValue'] : typesOf(node.value).map(type => `map:${type}`)
    case 'unstructured':
      return ['RawExtension', 'FieldsV1', 'Unknown']
    case 'scalar': {
      const typeName = node.schema['typeName']
      if (node.scalar === 'raw')
        return typeof typeName === 'string' ? [lastOf(typeName)] : ['RawExtension', 'FieldsV1', 'JSON']
      return [scalarTypes[node.scalar] ?? node.scalar]
    }
  }
}

const compared = new Set<string>()
const unknown = new Set<string>()
const wrong: string[] = []

const messageOf = ({ name }: StructNode): string => {
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot).replaceAll('.', '/')} ${name.slice(dot + 1)}`
}
const innermost = (node: TypeNode): TypeNode =>
  node.is === 'list' ? innermost(node.item) : node.is === 'map' ? innermost(node.value) : node

function compareStruct(node: StructNode, seen: Set<TypeNode>): void {
  if (seen.has(node)) return
  seen.add(node)
  const message = messageOf(node)
  if (facts.has(message)) {
    compared.add(message)
    compareMembers(message, messageLayout(node))
  } else if (node.name !== '') unknown.add(message)
  for (const { node: inner, schema } of node.fields.values()) {
    const part = innermost(inner)
    const isGone = part.is === 'struct' && isPassing(inner, schema) && !facts.has(messageOf(part))
    if (!isGone) compareInside(inner, seen)
  }
}
function compareInside(node: TypeNode, seen: Set<TypeNode>): void {
  if (node.is === 'struct') compareStruct(node, seen)
  else if (node.is === 'list') compareInside(node.item, seen)
  else if (node.is === 'map') compareInside(node.value, seen)
  else if (node.is === 'scalar' && node.forms) {
    compareForms(node)
    compareInside(node.forms.object.node, seen)
  }
}
function compareMembers(message: string, { members }: MessageLayout): void {
  for (const member of members) {
    const fact = facts.get(message)?.get(member.number)
    const at = `${message} ${member.number}`
    // Fields that came after the first and went before the last of these versions are in neither list.
    if (!fact && member.is === 'field' && isPassing(member.field.node, member.field.schema)) continue
    if (!fact) wrong.push(`${at}: there is no such field`)
    else if (member.is === 'inlined') compareMembers(besides(message, fact.types[0] ?? ''), member.layout)
    else {
      const types = typesOf(member.field.node)
      if (plain(fact.name) !== plain(member.field.name)) wrong.push(`${at}: ${member.field.name} is ${fact.name}`)
      if (!types.some(type => fact.types.includes(type)))
        wrong.push(`${at} ${fact.name}: ${types.join(' or ')} is ${fact.types.join(' or ')}`)
    }
  }
}
/** A message of the same version, or of v1: versions share messages that did not change. */
function besides(message: string, name: string): string {
  const [version = ''] = message.split(' ')
  const own = `${version} ${name}`
  return facts.has(own) ? own : `${version.slice(0, version.lastIndexOf('/'))}/v1 ${name}`
}
const isPassing = (node: TypeNode, schema: TSchema): boolean =>
  [node.schema, schema].some(each => each['since'] !== undefined || each['until'] !== undefined)
/** `$ref` and `x-kubernetes-list-type` are `ref` and `xKubernetesListType` there. */
const plain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()

function compareForms(node: TypeNode & { is: 'scalar' }): void {
  const { bool, object, list } = node.forms!
  const message = `apiextensions/v1 ${lastOf(String(node.schema['typeName']))}`
  const fields = facts.get(message)
  compared.add(message)
  const expected = [
    ...(bool === undefined ? [] : [[bool, 'bool']]),
    [object.number, typesOf(object.node)[0]],
    ...(list === undefined ? [] : [[list.number, `repeated:${typesOf(list.node)[0]}`]]),
  ]
  const found = [...(fields ?? [])].map(([number, { types }]) => [number, types[0]])
  if (JSON.stringify(expected) !== JSON.stringify(found)) wrong.push(`${message}: ${JSON.stringify([expected, found])}`)
}

const wire = suite('the wire form of every type')

wire('has the field numbers and types of the reference, message by message', async () => {
  const folder = join(root, 'plugins')
  const plugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.ts')))
  const seen = new Set<TypeNode>()
  for (const plugin of plugins)
    for (const schema of await schemasOf(plugin)) {
      const node = buildTypeModel(schema)
      if (hasProtobuf(node)) compareInside(node, seen)
    }
  assert.equal(wrong, [])
  assert.ok(compared.size > 500, `${compared.size} messages were compared`)
  assert.equal([...unknown], [], 'messages that the reference does not have')
})

wire.run()

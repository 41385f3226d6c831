import {
  defineResource,
  field,
  Int32,
  Kind,
  kept,
  ListOf,
  orchProfile,
  Quantity,
  required,
  StringMap,
  Struct,
  Text,
  Time,
  Vendor,
} from 'orch/sdk'
import protobuf from 'protobufjs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Steps, Turns } from '../contracts/turns.js'
import { DocumentParts } from './document-parts.js'
import { describeInV2, openApiV2 } from './openapi-v2.js'
import type { ServedType } from './operation.js'
import { encodeOpenApiV2, ItemBytes } from './v2-protobuf.js'
import { V3Documents } from './v3-documents.js'

const Part = Struct(
  'toys.v1.Part',
  { name: required(1, Text()), size: field(2, Quantity()), count: field(3, Int32({ minimum: 1, default: 1 })) },
  { mapType: 'atomic' },
)
const Toy = Kind('toys.v1.Toy', {
  parts: field(2, ListOf(Part, { listType: 'map', listMapKeys: ['name'] })),
  tags: field(3, ListOf(Text(), { patchStrategy: 'merge', patchMergeKey: 'x' }), { description: 'Words about it.' }),
  made: kept(4, Time()),
  main: kept(5, Part, { description: 'The main part.' }),
  notes: field(6, StringMap()),
})
const toys = (group: string) =>
  defineResource({
    group,
    kind: 'Toy',
    resource: 'toys',
    namespaced: true,
    versions: [{ name: 'v1', schema: Toy }],
    subresources: { status: { kind: 'update', strategy: {} } },
  })
const acme = new Vendor({
  ...orchProfile,
  name: 'acme',
  groupDomain: 'acme.test',
  definitionPrefix: 'test.acme.api.',
  metaDefinitionPrefix: 'test.acme.machinery.',
  extensionPrefix: 'x-acme-',
  foreignExtensionPrefix: 'x-acme-',
  protobufMediaType: 'application/vnd.acme.protobuf',
  version: { major: '1', minor: '0', gitVersion: 'v1.0.0' },
})
const definition = toys('toys.acme.test')
const types = [{ definition, version: definition.versions[0]! }]
interface Document {
  paths: Record<
    string,
    Record<string, { operationId: string; parameters?: { name: string }[] } & Record<string, unknown>>
  >
  definitions: Record<string, { properties: Record<string, unknown>; required?: string[] } & Record<string, unknown>>
}
const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
const documentOf = (served: readonly ServedType[]) =>
  openApiV2(finish(describeInV2(served, acme)), acme) as unknown as Document
const v2 = documentOf(types)

const openApi = suite('OpenAPI')

openApi('definitions carry the vendor prefix, references, markers and kinds', () => {
  const toy = v2.definitions['test.acme.api.toys.v1.Toy']!
  assert.equal(toy['x-acme-group-version-kind'], [{ group: 'toys.acme.test', version: 'v1', kind: 'Toy' }])
  assert.equal(Object.keys(toy.properties), [
    'apiVersion',
    'kind',
    'metadata',
    'parts',
    'tags',
    'made',
    'main',
    'notes',
  ])
  assert.equal(toy.properties['parts'], {
    items: { $ref: '#/definitions/test.acme.api.toys.v1.Part' },
    type: 'array',
    'x-acme-list-type': 'map',
    'x-acme-list-map-keys': ['name'],
  })
  assert.equal(toy.properties['tags'], {
    items: { type: 'string' },
    type: 'array',
    description: 'Words about it.',
    'x-acme-patch-strategy': 'merge',
    'x-acme-patch-merge-key': 'x',
  })
  assert.equal(toy.properties['made'], { $ref: '#/definitions/test.acme.machinery.apis.meta.v1.Time' })
  assert.equal(toy.properties['notes'], { additionalProperties: { type: 'string' }, type: 'object' })
})
openApi('a list has the kind that its type gives it', () => {
  const named = { ...definition, listKind: 'Toybox' }
  const { definitions } = documentOf([{ ...types[0]!, definition: named }])
  assert.is(definitions['test.acme.api.toys.v1.ToyList'], undefined)
  const kinds = definitions['test.acme.api.toys.v1.Toybox']?.['x-acme-group-version-kind']
  assert.equal(kinds, [{ group: 'toys.acme.test', version: 'v1', kind: 'Toybox' }])
})
openApi('structs state which fields are required, and whether they are atomic', () => {
  assert.equal(v2.definitions['test.acme.api.toys.v1.Part'], {
    properties: {
      name: { type: 'string' },
      size: { $ref: '#/definitions/test.acme.machinery.api.resource.Quantity' },
      count: { format: 'int32', type: 'integer', minimum: 1, default: 1 },
    },
    required: ['name'],
    type: 'object',
    'x-acme-map-type': 'atomic',
  })
})
openApi('the event of a watch is defined, for every group', () => {
  const { properties, required, ...rest } = v2.definitions['test.acme.machinery.apis.meta.v1.WatchEvent']! as never as {
    properties: Record<string, unknown>
    required: string[]
  }
  assert.equal(
    [Object.keys(properties).sort(), required],
    [
      ['object', 'type'],
      ['type', 'object'],
    ],
  )
  assert.match(JSON.stringify(rest), '"kind":"WatchEvent"')
})
openApi('a kind that is listed has a list type', () => {
  const list = v2.definitions['test.acme.api.toys.v1.ToyList']!
  assert.equal(list.required, ['items'])
  assert.equal(list['x-acme-group-version-kind'], [{ group: 'toys.acme.test', version: 'v1', kind: 'ToyList' }])
})
openApi('a kind that is first visited inside another type still has apiVersion and kind', () => {
  const group = v2.definitions['test.acme.machinery.apis.meta.v1.APIGroup']!
  assert.ok('apiVersion' in group.properties && 'kind' in group.properties)
})
openApi('every reference resolves to a definition', () => {
  const broken: string[] = []
  JSON.stringify(v2, (key, value: unknown) => {
    if (key === '$ref' && !((value as string).slice('#/definitions/'.length) in v2.definitions))
      broken.push(String(value))
    return value
  })
  assert.equal(broken, [])
})
openApi('operations have an id, an action and a kind, and shared parameters are described once', () => {
  const item = v2.paths['/apis/toys.acme.test/v1/namespaces/{namespace}/toys/{name}']!
  const ids = ['get', 'put', 'patch', 'delete'].map(method => item[method]!.operationId)
  assert.equal(ids, [
    'readToysV1NamespacedToy',
    'replaceToysV1NamespacedToy',
    'patchToysV1NamespacedToy',
    'deleteToysV1NamespacedToy',
  ])
  assert.equal(
    (item['parameters'] as unknown as { name: string }[]).map(({ name }) => name),
    ['name', 'namespace', 'pretty'],
  )
  assert.is(item['patch']!['x-acme-action'], 'patch')
  assert.equal(item['patch']!['x-acme-group-version-kind'], { group: 'toys.acme.test', version: 'v1', kind: 'Toy' })
  assert.equal(
    item['patch']!.parameters!.map(({ name }) => name),
    ['body', 'dryRun', 'fieldManager', 'fieldValidation', 'force'],
  )
  assert.is(v2.paths['/apis/toys.acme.test/v1/toys']!['get']!.operationId, 'listToysV1ToyForAllNamespaces')
  assert.is(
    v2.paths['/apis/toys.acme.test/v1/namespaces/{namespace}/toys/{name}/status']!['put']!.operationId,
    'replaceToysV1NamespacedToyStatus',
  )
})
openApi("no name but the vendor's appears", () => {
  assert.not.ok(/orch|k8s|kubernetes/.test(JSON.stringify(v2)))
})

const mediaTypes = { index: 'text/plain', json: 'application/json', protobuf: 'application/protobuf' }
openApi('version 3 has a document per group version and an index', async () => {
  const documents = new V3Documents(acme, mediaTypes).update(types)
  const read = async (path: string) => JSON.parse(String((await documents.answer(path))?.body))
  const document = (await read('/openapi/v3/apis/toys.acme.test/v1')) as {
    components: { schemas: Record<string, { properties: Record<string, unknown> }> }
  }
  assert.equal(document.components.schemas['test.acme.api.toys.v1.Toy']!.properties['main'], {
    description: 'The main part.',
    allOf: [{ $ref: '#/components/schemas/test.acme.api.toys.v1.Part' }],
  })
  const index = (await read('/openapi/v3')) as { paths: Record<string, { serverRelativeURL: string }> }
  assert.equal(Object.keys(index.paths), ['apis/toys.acme.test/v1'])
  assert.match(
    index.paths['apis/toys.acme.test/v1']!.serverRelativeURL,
    /^\/openapi\/v3\/apis\/toys\.acme\.test\/v1\?hash=[0-9A-F]{128}$/,
  )
})

openApi('documents of version 3 are kept when types of other groups are added and removed', () => {
  const documents = new V3Documents(acme, mediaTypes)
  const path = '/openapi/v3/apis/toys.acme.test/v1'
  const first = documents.update(types).answer(path)
  const other = { ...definition, group: 'games.acme.test' }
  documents.update([...types, { definition: other, version: other.versions[0]! }])
  assert.is(documents.answer(path), first)
  assert.ok(documents.answer('/openapi/v3/apis/games.acme.test/v1'))
  assert.is(documents.update([]).answer(path), undefined)
})

/** The part of gnostic's OpenAPIv2.proto that the usual client reads. */
const gnostic = protobuf
  .parse(`
  syntax = "proto3";
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message TypeItem { repeated string value = 1; }
  message ItemsItem { repeated Schema schema = 1; }
  message Properties { repeated NamedSchema additionalProperties = 1; }
  message AdditionalPropertiesItem { Schema schema = 1; }
  message Schema {
    string ref = 1; string format = 2; string description = 4; Any default = 5; double minimum = 9;
    repeated string required = 19; AdditionalPropertiesItem additionalProperties = 21; TypeItem type = 22;
    ItemsItem items = 23; Properties properties = 25; repeated NamedAny vendorExtension = 31;
  }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Definitions { repeated NamedSchema additionalProperties = 1; }
  message Operation { string operationId = 5; repeated NamedAny vendorExtension = 13; }
  message PathItem { Operation get = 2; Operation patch = 8; }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPathItem path = 2; }
  message Document { string swagger = 1; Paths paths = 8; Definitions definitions = 9; }
`)
  .root.lookupType('Document')

openApi('the part of an unchanged type is reused, and a shared schema lists the kinds of all parts', () => {
  const parts = new DocumentParts(each => describeInV2(each, acme))
  const described = (kind: string) => {
    const of = { ...toys(`${kind.toLowerCase()}.example.test`), kind, unstructured: true }
    const schema = Kind('', { size: field(2, Int32()) })
    Object.assign(schema, { typeName: `${kind}.v1`, document: () => ({ type: 'object', properties: {} }) })
    return { definition: of, version: { name: 'v1', schema } }
  }
  const [one, other] = [described('One'), described('Other')]
  const first = finish(parts.contents([...types, one]))
  const second = finish(parts.contents([...types, one, other]))
  const path = '/apis/one.example.test/v1/namespaces/{namespace}/toys'
  assert.is(second.paths[path], first.paths[path])
  assert.is(second.schemas['One.v1'], first.schemas['One.v1'])
  const groups = (contents: typeof first) => {
    const options = contents.schemas['test.acme.machinery.apis.meta.v1.DeleteOptions'] as Record<string, unknown>
    return (options['x-acme-group-version-kind'] as { group: string }[]).map(({ group }) => group)
  }
  assert.equal(groups(first), ['toys.acme.test', 'one.example.test'])
  assert.equal(groups(second), ['toys.acme.test', 'one.example.test', 'other.example.test'])
})

openApi('the Protobuf form holds the same definitions and operations', async () => {
  const bytes = await encodeOpenApiV2(v2 as unknown as Record<string, unknown>, new ItemBytes(), new Turns())
  const document = gnostic.toObject(gnostic.decode(bytes)) as {
    definitions: { additionalProperties: { name: string; value: Record<string, unknown> }[] }
    paths: { path: { name: string; value: { patch?: Record<string, unknown> } }[] }
  }
  assert.equal(
    document.definitions.additionalProperties.map(({ name }) => name),
    Object.keys(v2.definitions),
  )
  const part = document.definitions.additionalProperties.find(({ name }) => name.endsWith('v1.Part'))!.value
  assert.equal(part['required'], ['name'])
  assert.equal(part['vendorExtension'], [{ name: 'x-acme-map-type', value: { yaml: '"atomic"' } }])
  assert.equal((part['properties'] as { additionalProperties: unknown[] }).additionalProperties[2], {
    name: 'count',
    value: { format: 'int32', type: { value: ['integer'] }, minimum: 1, default: { yaml: '1' } },
  })
  const path = document.paths.path.find(({ name }) => name.endsWith('toys/{name}'))!
  assert.is(path.value.patch!['operationId'], 'patchToysV1NamespacedToy')
})
openApi.run()

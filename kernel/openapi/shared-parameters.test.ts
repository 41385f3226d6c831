import { defineResource, field, Kind, kubernetesProfile, ListOf, profileAtVersion, Text, Vendor } from 'orch/sdk'
import protobuf from 'protobufjs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Turns } from '../contracts/turns.js'
import { describeInV2, openApiV2 } from './openapi-v2.js'
import { encodeOpenApiV2, ItemBytes } from './v2-protobuf.js'

const Toy = Kind('toys.v1.Toy', {
  parts: field(2, ListOf(Text())),
  tags: field(3, ListOf(Text(), { patchStrategy: 'merge', patchMergeKey: 'x' })),
})
const definition = defineResource({
  group: 'toys.example.com',
  kind: 'Toy',
  resource: 'toys',
  namespaced: true,
  versions: [{ name: 'v1', schema: Toy }],
})
const types = [{ definition, version: definition.versions[0]! }]
interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string; $ref?: string }[] }>>
  definitions: Record<string, { properties: Record<string, Record<string, unknown>> }>
  parameters?: Record<string, { name: string }>
}
const documentAt = async (version: string) => {
  const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
  return openApiV2(await new Turns().finish(describeInV2(types, vendor)), vendor) as unknown as Document
}
/** The part of gnostic's OpenAPIv2.proto that holds parameters. */
const gnostic = protobuf
  .parse(`
  syntax = "proto3";
  message JsonReference { string ref = 1; }
  message BodyParameter { string name = 2; }
  message QueryParameter { string name = 4; }
  message NonBodyParameter { QueryParameter query = 3; QueryParameter path = 4; }
  message Parameter { BodyParameter body = 1; NonBodyParameter plain = 2; }
  message ParametersItem { Parameter parameter = 1; JsonReference reference = 2; }
  message NamedParameter { string name = 1; Parameter value = 2; }
  message ParameterDefinitions { repeated NamedParameter additionalProperties = 1; }
  message Operation { repeated ParametersItem parameters = 8; }
  message PathItem { Operation patch = 8; }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPathItem path = 2; }
  message Document { Paths paths = 8; ParameterDefinitions parameters = 10; }
`)
  .root.lookupType('Document')

const openApi = suite('parameters of OpenAPI v2')

openApi('newer versions refer to parameters that are described once, and state how every list is merged', async () => {
  assert.is((await documentAt('1.27')).parameters, undefined)
  const document = await documentAt('1.36')
  const parameters = document.parameters!
  const path = Object.keys(document.paths).find(each => each.endsWith('/toys/{name}'))!
  const shownOf = (method: string) =>
    (document.paths[path]![method]!.parameters ?? []).map(each => {
      const { $ref: ref, name } = each
      return ref === undefined ? name : `shared ${parameters[ref.slice('#/parameters/'.length)]!.name}`
    })
  // Clients of older versions look for these two.
  assert.equal(shownOf('put'), ['body', 'dryRun', 'shared fieldManager', 'fieldValidation'])
  assert.equal(shownOf('patch'), ['shared body', 'dryRun', 'shared fieldManager', 'fieldValidation', 'shared force'])
  const toy = Object.entries(document.definitions).find(([name]) => name.endsWith('toys.v1.Toy'))![1]
  const { tags, parts } = toy.properties
  assert.equal([tags!['x-kubernetes-list-type'], tags!['x-kubernetes-list-map-keys']], ['map', ['x']])
  assert.is(parts!['x-kubernetes-list-type'], 'atomic')

  const bytes = await encodeOpenApiV2(document as unknown as Record<string, unknown>, new ItemBytes(), new Turns())
  const read = gnostic.toObject(gnostic.decode(bytes)) as {
    parameters: { additionalProperties: { name: string; value: object }[] }
    paths: { path: { name: string; value: { patch?: { parameters: { reference?: { ref: string } }[] } } }[] }
  }
  const shared = read.parameters.additionalProperties.map(({ name }) => name)
  assert.equal(shared, Object.keys(parameters))
  const patch = read.paths.path.find(({ name }) => name === path)!.value.patch!
  const references = patch.parameters.flatMap(({ reference }) => (reference ? [reference.ref] : []))
  assert.is(references.length, 3)
  assert.ok(references.every(ref => shared.includes(ref.slice('#/parameters/'.length))))
})

openApi.run()

import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../golden/json-paths.js'
import type { ScenarioClient } from '../golden/scenario-client.js'
import { bodiesKey, type KnownBodies } from './known-bodies.js'

/** Custom types that use every feature of schemas. */
export const customGroup = 'differential.example.com'
const text = { type: 'string' }
const whole = { type: 'integer' }
const unknownKept = { 'x-kubernetes-preserve-unknown-fields': true }

const widgetSpec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', format: 'int32', minimum: 1, maximum: 10, default: 3 },
    replicas: { type: 'integer', format: 'int32', minimum: 0 },
    title: { ...text, minLength: 2, maxLength: 12, pattern: '^[a-z]+(-[a-z]+)*$' },
    color: { ...text, enum: ['red', 'green', 'blue'], default: 'red' },
    ratio: { type: 'number', multipleOf: 0.5, exclusiveMaximum: true, maximum: 10 },
    enabled: { type: 'boolean', default: true },
    note: { ...text, nullable: true },
    once: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'once is final' }] },
    at: { ...text, format: 'date-time' },
    lasts: { ...text, format: 'duration' },
    data: { ...text, format: 'byte' },
    share: { 'x-kubernetes-int-or-string': true },
    low: whole,
    high: whole,
    tags: { type: 'array', items: { ...text, maxLength: 8 }, maxItems: 4, 'x-kubernetes-list-type': 'set' },
    order: { type: 'array', items: whole, minItems: 1, 'x-kubernetes-list-type': 'atomic' },
    ports: {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: {
          port: { ...whole, minimum: 1, maximum: 65535 },
          protocol: { ...text, default: 'TCP' },
          name: { ...text, maxLength: 10 },
          weight: { ...whole, 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
        },
      },
    },
    settings: { type: 'object', maxProperties: 3, additionalProperties: { ...text, maxLength: 6 } },
    place: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { x: whole, y: { ...whole, default: 0 } },
      'x-kubernetes-validations': [
        { rule: '!has(self.x) || self.x != 13', message: 'unlucky', reason: 'FieldValueForbidden', fieldPath: '.x' },
      ],
    },
    free: { type: 'object', ...unknownKept, properties: { known: { ...whole, default: 7 } } },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, ...unknownKept },
    either: {
      type: 'object',
      properties: { a: text, b: text },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.low) || !has(self.high) || self.low <= self.high', message: 'low is above high' },
    {
      rule: '!has(self.tags) || self.tags.all(tag, tag != self.color)',
      messageExpression: '"no tag may be " + self.color',
    },
    { rule: '!has(oldSelf.title) || has(self.title)', message: 'a title stays' },
    { rule: '!has(self.settings) || self.settings.all(key, key.startsWith("a") || size(key) < 4)' },
  ],
}
const widgetStatus = {
  type: 'object',
  properties: {
    phase: { ...text, enum: ['New', 'Done'] },
    replicas: whole,
    selector: text,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { type: 'object', required: ['type', 'status'], properties: { type: text, status: text } },
    },
  },
}
const widgetVersion = (name: string, isStored: boolean) => ({
  name,
  served: true,
  storage: isStored,
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
    { name: 'Ports', type: 'string', jsonPath: '.spec.ports[*].port' },
    { name: 'On', type: 'boolean', jsonPath: '.spec.enabled' },
    { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: widgetSpec, status: widgetStatus } } },
})
const definition = (plural: string, kind: string, scope: string, versions: JsonObject[]): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${customGroup}` },
  spec: {
    group: customGroup,
    scope,
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames: [plural.slice(0, 3)] },
    versions,
  },
})
const definitions = [
  definition('widgets', 'Widget', 'Namespaced', [widgetVersion('v1beta1', false), widgetVersion('v1', true)]),
  definition('gears', 'Gear', 'Cluster', [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          ...unknownKept,
          properties: { teeth: { ...whole, minimum: 3 }, spare: { type: 'object', ...unknownKept } },
          'x-kubernetes-validations': [{ rule: '!has(self.teeth) || self.metadata.name != "b" || self.teeth > 4' }],
        },
      },
    },
  ]),
]

const widgetSpecs: JsonObject[] = [
  { size: 1 },
  { title: 'a-title', color: 'blue', tags: ['one', 'two'], low: 1, high: 2, once: 'a' },
  {
    ports: [{ port: 80, name: 'http', weight: 2 }, { port: 80, protocol: 'UDP' }, { port: 443 }],
    settings: { a: 'b', abcdef: 'c' },
    share: '50%',
    note: null,
  },
  { free: { any: [1, { a: null }], known: 1 }, place: { x: 1 }, either: { a: 'b' }, replicas: 2, ratio: 1.5 },
  {
    template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } },
    at: '2024-02-29T23:59:59Z',
    lasts: '1h30m',
    data: 'aGVsbG8=',
    order: [3, 1, 3],
    enabled: false,
  },
]
const widgetBodies = widgetSpecs.map(spec => ({
  metadata: {},
  spec,
  status: { phase: 'New', replicas: 1, selector: 'a=b', conditions: [{ type: 'Ready', status: 'True' }] },
}))
const gearBodies: JsonObject[] = [{ teeth: 5 }, { spare: { a: [1] }, other: { deep: 'x' } }]
const sampleBodies: Readonly<Record<string, JsonObject[]>> = {
  widgets: widgetBodies,
  'widgets/status': widgetBodies,
  'widgets/scale': [{ metadata: {}, spec: { replicas: 4 } }],
  gears: gearBodies.map(body => ({ metadata: {}, ...body })),
}

/** What may be sent to the custom types. */
export const customBodies = (): ReadonlyMap<string, KnownBodies> =>
  new Map(
    Object.entries(sampleBodies).map(([name, valid]) => {
      const [resource = '', subresource = ''] = name.split('/')
      return [bodiesKey(`/apis/${customGroup}/v1`, resource, subresource), { valid, refused: [], patches: [] }]
    }),
  )

const waitLimitMs = 30_000
/** Creates the types on a server if they are missing, and waits until OpenAPI describes them. */
export async function createCustomTypes(client: ScenarioClient): Promise<void> {
  const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const body of definitions) {
    const { status, bytes } = await client.send({ method: 'POST', path: collection, body }, {})
    if (status !== 201 && status !== 409) throw new Error(`custom type: ${status} ${bytes.toString()}`)
  }
  const started = Date.now()
  for (;;) {
    const { bytes } = await client.send({ path: '/openapi/v2' }, {})
    const paths = ['widgets', 'gears'].map(plural => `${plural}/{name}`)
    if (paths.every(path => bytes.includes(path))) return
    if (Date.now() - started > waitLimitMs) throw new Error('the custom types are not described')
    await sleep(500)
  }
}

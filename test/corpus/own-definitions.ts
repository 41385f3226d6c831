import type { CorpusEntry } from './read-corpus.js'

type Schema = Record<string, unknown>
const entry = (plural: string, spec: Schema, expect: CorpusEntry['expect'] = { status: 201 }, more: object = {}) => {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1)
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }
  return {
    from: 'orch',
    expect,
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.corpus.orch.test` },
      spec: {
        group: 'corpus.orch.test',
        scope: 'Namespaced',
        names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
        versions: [version],
      },
    },
  } as CorpusEntry
}

const rulesOf = (...rules: object[]) => ({ 'x-kubernetes-validations': rules })
const errorOf = (...fields: string[]) => ({ status: 422, reason: 'Invalid', fields })
const inSpec = (rest: string) => `spec.validation.openAPIV3Schema.properties[spec]${rest}`

/** Our own definitions with the features of published ones, valid and invalid. */
export const ownDefinitions: readonly CorpusEntry[] = [
  entry('texts', {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
      host: { type: 'string', format: 'hostname' },
      address: { type: 'string', format: 'ipv4' },
      since: { type: 'string', format: 'date-time' },
      size: { type: 'string', enum: ['S', 'M', 'L'], default: 'M' },
      quantity: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?[0-9]+))?$',
      },
    },
  }),
  entry('lists', {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 10 },
      ports: {
        type: 'array',
        minItems: 1,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name', 'port'],
          properties: { name: { type: 'string' }, port: { type: 'integer', minimum: 1, maximum: 65_535 } },
        },
      },
      labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
    },
  }),
  entry('choices', {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } },
    oneOf: [
      { required: ['a'] },
      { required: ['b'] },
      { not: { anyOf: [{ required: ['a'] }, { required: ['b'] }] }, required: ['c'] },
    ],
  }),
  entry('templates', {
    type: 'object',
    properties: {
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      none: { type: 'string', nullable: true },
    },
  }),
  entry('rules', {
    type: 'object',
    properties: { least: { type: 'integer', default: 0 }, most: { type: 'integer', default: 10 } },
    ...rulesOf(
      { rule: 'self.least <= self.most', reason: 'FieldValueForbidden', fieldPath: '.least' },
      { rule: '!oldSelf.hasValue() || self.most >= oldSelf.value().most', optionalOldSelf: true },
      { rule: 'self.most < 1000', messageExpression: "'must be less than %d'.format([1000])" },
    ),
  }),
  entry(
    'selections',
    { type: 'object', properties: { color: { type: 'string' }, count: { type: 'integer' } } },
    { status: 201 },
    { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.count' }], subresources: { status: {} } },
  ),
  entry(
    'costs',
    {
      type: 'object',
      properties: {
        outer: {
          type: 'array',
          items: { type: 'array', items: { type: 'string', ...rulesOf({ rule: 'self.matches("^a+$")' }) } },
        },
      },
    },
    errorOf(
      'FieldValueForbidden spec.validation.openAPIV3Schema',
      `FieldValueForbidden ${inSpec('.properties[outer].items.items.x-kubernetes-validations[0].rule')}`,
    ),
  ),
  entry(
    'untypeds',
    { type: 'object', properties: { a: {} } },
    errorOf(`FieldValueRequired ${inSpec('.properties[a].type')}`),
  ),
  entry(
    'wrongs',
    { type: 'object', properties: { a: { type: 'integer' } }, ...rulesOf({ rule: 'self.a == "text"' }) },
    errorOf(`FieldValueInvalid ${inSpec('.x-kubernetes-validations[0].rule')}`),
  ),
]

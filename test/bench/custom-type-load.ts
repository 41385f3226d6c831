/** Definitions and objects of the benchmark of custom types. */
export const benchGroup = 'bench.example.com'
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const pluralOf = (n: number): string => `things${n}`
export const objectsPath = (namespace: string, n: number): string =>
  `/apis/${benchGroup}/v1/namespaces/${namespace}/${pluralOf(n)}`

const text = { type: 'string', maxLength: 2000 } as const
/** Twenty typical fields: strings with a pattern, numbers with limits, enums, lists, maps and objects. */
const spec = {
  type: 'object',
  required: ['payload'],
  properties: {
    payload: text,
    seq: { type: 'string', pattern: '^[0-9]*$' },
    class: { type: 'string', enum: ['fast', 'slow', 'none'], default: 'none' },
    replicas: { type: 'integer', format: 'int32', minimum: 0, maximum: 1000, default: 1 },
    weight: { type: 'number', minimum: 0 },
    enabled: { type: 'boolean', default: true },
    size: { 'x-kubernetes-int-or-string': true },
    since: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string', maxLength: 63 }, 'x-kubernetes-list-type': 'set' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name', 'number'],
        properties: { name: { type: 'string' }, number: { type: 'integer', minimum: 1, maximum: 65_535 } },
      },
    },
    owner: { type: 'object', properties: { name: { type: 'string' }, mail: { type: 'string', format: 'email' } } },
    notes: { type: 'array', items: { type: 'string' } },
  },
} as const
const status = {
  type: 'object',
  properties: { phase: { type: 'string' }, observed: { type: 'integer' }, message: text },
} as const

/** The n-th definition. */
export const definition = (n: number): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${pluralOf(n)}.${benchGroup}` },
    spec: {
      group: benchGroup,
      scope: 'Namespaced',
      names: { plural: pluralOf(n), singular: `thing${n}`, kind: `Thing${n}`, listKind: `Thing${n}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Class', type: 'string', jsonPath: '.spec.class' }],
        },
      ],
    },
  })

/** The parts of an object as JSON: the head, and the field with the payload. */
export interface Shape {
  readonly head: string
  fields(payload: string, sequence: number): string
}
export const configMapShape: Shape = {
  head: '"apiVersion":"v1","kind":"ConfigMap"',
  fields: (payload, sequence) => `"data":{"payload":"${payload}","seq":"${sequence}"}`,
}
/** An object of the n-th definition: the same number of bytes, in fields with a schema and defaults. */
export const customShape = (n: number): Shape => ({
  head: `"apiVersion":"${benchGroup}/v1","kind":"Thing${n}"`,
  fields: (payload, sequence) => `"spec":{"payload":"${payload}","seq":"${sequence}","tags":["a","b"]}`,
})

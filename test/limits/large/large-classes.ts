/** Objects below the documented limits: 3 MiB for a request, 1.5 MiB for an object. A real server accepts all of them. */
export interface LargeClass {
  readonly collection: string
  readonly name: string
  /** The object as JSON. Made as a text: the deepest ones are too deep for `JSON.stringify`. */
  readonly text: string
  /** A merge patch of it, as JSON. */
  readonly change: string
  /** A JSON patch of it, as JSON. */
  readonly operations: string
  readonly hasStrategicMerge: boolean
}

export const configMaps = '/api/v1/namespaces/default/configmaps'
export const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions'
export const boms = '/apis/large.test/v1/namespaces/default/boms'
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const field = { type: 'string' }
const anything = { 'x-kubernetes-preserve-unknown-fields': true }
const schema = {
  type: 'object',
  properties: {
    numbers: { type: 'array', items: { type: 'integer' } },
    components: {
      type: 'array',
      items: { type: 'object', properties: { name: field, version: field, purl: field, type: field } },
    },
    anything,
  },
}
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
  additionalPrinterColumns: [{ name: 'First', type: 'string', jsonPath: '.components[0].name' }],
})
/** A type as vulnerability scanners have it, in two versions. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boms.large.test' },
  spec: {
    group: 'large.test',
    scope: 'Namespaced',
    names: { plural: 'boms', singular: 'bom', kind: 'Bom', listKind: 'BomList' },
    versions: [version('v1', true), version('v2', false)],
  },
}

const times = (count: number, item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at)).join()
const nested = (open: string, end: string, close: string, levels: number) =>
  open.repeat(levels) + end + close.repeat(levels)

function configMap(name: string, fields: string, change: string, operations: string, labels = ''): LargeClass {
  const metadata = `"metadata":{"name":"${name}","namespace":"default"${labels === '' ? '' : `,"labels":{${labels}}`}}`
  const text = `{"apiVersion":"v1","kind":"ConfigMap",${metadata}${fields === '' ? '' : `,${fields}`}}`
  return { collection: configMaps, name, text, change, operations, hasStrategicMerge: true }
}
function bom(name: string, fields: string, change: string, operations: string): LargeClass {
  const head = `"apiVersion":"large.test/v1","kind":"Bom","metadata":{"name":"${name}","namespace":"default"}`
  return { collection: boms, name, text: `{${head},${fields}}`, change, operations, hasStrategicMerge: false }
}
const component = (at: number) => `{"name":"c${at}","version":"1.0.0","purl":"pkg:npm/c${at}@1.0.0","type":"library"}`
const deepBom = (name: string, open: string, close: string, levels: number, path: string) =>
  bom(
    name,
    `"anything":${nested(open, '1', close, levels)}`,
    `{"anything":${nested(open, '{"changed":true}', close, levels)}}`,
    `[{"op":"replace","path":"/anything${path.repeat(levels)}","value":2}]`,
  )

/** What the issue names, each class with its largest. */
export const largeClasses: Readonly<Record<string, () => LargeClass>> = {
  'a ConfigMap of 30,000 keys': () =>
    configMap(
      'keys',
      `"data":{${times(30_000, at => `"key${at}":"v"`)}}`,
      '{"data":{"key7":"changed"}}',
      '[{"op":"replace","path":"/data/key7","value":"again"}]',
    ),
  'a ConfigMap of 70,000 keys': () =>
    configMap(
      'most-keys',
      `"data":{${times(70_000, at => `"${at.toString(36)}k":""`)}}`,
      '{"data":{"key7":"changed"}}',
      '[{"op":"replace","path":"/data/key7","value":"again"}]',
    ),
  '25,000 labels': () =>
    configMap(
      'labels',
      '',
      '{"metadata":{"labels":{"key7":"changed"}}}',
      '[{"op":"replace","path":"/metadata/labels/key7","value":"again"}]',
      times(25_000, at => `"key${at}":"v"`),
    ),
  'a list of 100,000 numbers': () =>
    bom(
      'numbers',
      `"numbers":[${times(100_000, String)}]`,
      '{"numbers":[1]}',
      '[{"op":"add","path":"/numbers/0","value":2}]',
    ),
  'a list of 700,000 numbers': () =>
    bom(
      'most-numbers',
      `"numbers":[${times(700_000, () => '1')}]`,
      '{"numbers":[1]}',
      '[{"op":"add","path":"/numbers/0","value":2}]',
    ),
  'a bill of materials with 8,000 components': () =>
    bom(
      'components',
      `"components":[${times(8000, component)}]`,
      `{"components":[${component(1)}]}`,
      `[{"op":"add","path":"/components/0","value":${component(2)}}]`,
    ),
  'a bill of materials with 18,000 components': () =>
    bom(
      'most-components',
      `"components":[${times(18_000, component)}]`,
      `{"components":[${component(1)}]}`,
      `[{"op":"add","path":"/components/0","value":${component(2)}}]`,
    ),
  '400,000 empty objects': () =>
    bom(
      'empty',
      `"anything":[${times(400_000, () => '{}')}]`,
      '{"anything":[1]}',
      '[{"op":"add","path":"/anything/0","value":2}]',
    ),
  'maps in 9,000 levels': () => deepBom('deep-maps', '{"a":', '}', 9000, '/a'),
  'lists in 9,000 levels': () => deepBom('deep-lists', '[', ']', 9000, '/0'),
  'maps in lists in 9,000 levels': () => deepBom('deep-both', '[{"a":', '}]', 4500, '/0/a'),
  'a revision of 9,000 levels': () => ({
    collection: revisions,
    name: 'deep-revision',
    text: `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"deep-revision","namespace":"default"},"revision":1,"data":${nested('{"a":', '1', '}', 9000)}}`,
    change: '{"revision":2}',
    operations: '[{"op":"replace","path":"/revision","value":3}]',
    hasStrategicMerge: true,
  }),
}

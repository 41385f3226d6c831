/** The requests of the benchmark: ConfigMaps with text that compresses badly. */
export const collectionPath = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`

const pool = (() => {
  let state = 12345
  let text = ''
  while (text.length < 1 << 16) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    text += (state >> 8).toString(36)
  }
  return text
})()

export interface LoadShape {
  readonly namespace: string
  /** Bytes of payload. */
  readonly size: number
  /** Number of the first object. */
  readonly first: number
  /** How many objects there are. */
  readonly objects: number
  /** Makes every change a real one. */
  readonly salt: number
  readonly path?: string
}
export type RequestParts = readonly [method: string, path: string, body?: string, type?: string]

export function payload(index: number, size: number): string {
  const from = (index * 97) % (pool.length - size)
  return pool.slice(from, from + size)
}
function configMap(shape: LoadShape, index: number, sequence: number, version?: string): string {
  const resourceVersion = version === undefined ? '' : `"resourceVersion":"${version}",`
  const pick = index % 100 === 0 ? 'yes' : 'no'
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm-${index}","namespace":"${shape.namespace}",${resourceVersion}"labels":{"app":"bench","pick":"${pick}"}},"data":{"payload":"${payload(index + sequence, shape.size)}","seq":"${sequence}"}}`
}

const mergePatch = 'application/merge-patch+json'
const one = (shape: LoadShape, index: number) => `${collectionPath(shape.namespace)}/cm-${index}`

/** The n-th request of each operation. `versions` are the latest ones, by object. */
export const operations = {
  raw: shape => ['GET', shape.path ?? '/version'],
  create: (shape, n) => ['POST', collectionPath(shape.namespace), configMap(shape, shape.first + n, 0)],
  get: (shape, n) => ['GET', one(shape, (n * 7919) % shape.objects)],
  put: (shape, n, versions) => [
    'PUT',
    one(shape, n % shape.objects),
    configMap(shape, n % shape.objects, shape.salt + n, versions[n % shape.objects]),
  ],
  patch: (shape, n) => ['PATCH', one(shape, n % shape.objects), `{"data":{"seq":"${shape.salt + n}"}}`, mergePatch],
  apply: (shape, n) => [
    'PATCH',
    `${one(shape, n % shape.objects)}?fieldManager=bench&force=true`,
    configMap(shape, n % shape.objects, shape.salt + n),
    'application/apply-patch+yaml',
  ],
  hot: (shape, n) => ['PATCH', one(shape, 0), `{"data":{"seq":"${shape.salt + n}"}}`, mergePatch],
  delete: (shape, n) => ['DELETE', one(shape, n)],
} satisfies Record<string, (shape: LoadShape, n: number, versions: readonly (string | undefined)[]) => RequestParts>
export type OperationName = keyof typeof operations

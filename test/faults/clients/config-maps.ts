import type { Version } from '../checker/version.js'

/** The objects that clients write: config maps whose data holds a value that is never written twice. */
export const namespaceName = 'faults'
export const collectionPath = `/api/v1/namespaces/${namespaceName}/configmaps`
export const objectPath = (key: string): string => `${collectionPath}/${key}`

/** Clients share so few keys that they often meet. */
export const sharedKeys: readonly string[] = Array.from({ length: 6 }, (_, index) => `key-${index}`)
/** Written only while all is quiet, last of all. */
export const barrierKey = 'key-barrier'
/** Others write config maps into every namespace, too. */
export const isOurs = (key: string): boolean => key.startsWith('key-')

export interface ConfigMap {
  readonly metadata: {
    readonly name: string
    readonly uid?: string
    readonly resourceVersion?: string
  }
  readonly data?: { readonly value?: string; readonly padding?: string }
}

/** Some values are long, so that answers can be cut in the middle. The value tells how long. */
export const makeValue = (writer: string, count: number, paddingLength: number): string =>
  `${writer}.${count}.${paddingLength}`
const paddingOf = (value: string): string => 'x'.repeat(Number(value.split('.')[2] ?? 0))

export const configMap = (key: string, value: string, resourceVersion?: number): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: key, ...(resourceVersion === undefined ? {} : { resourceVersion: String(resourceVersion) }) },
  data: { value, padding: paddingOf(value) },
})

export function versionOf({ metadata, data }: ConfigMap): Version {
  const value = data?.value ?? 'without value'
  const isWhole = data?.padding === paddingOf(value)
  return {
    key: metadata.name,
    revision: Number(metadata.resourceVersion),
    value: isWhole ? value : `damaged ${value}`,
    uid: metadata.uid ?? '',
  }
}

import type { ApiObject } from 'orch/sdk'
import type { FlagDefinition } from '../arguments/flags.js'

export const saveConfigFlag: FlagDefinition = {
  name: 'save-config',
  kind: 'switch',
  description: 'keep the configuration in an annotation, for client-side apply later',
}

/** The configuration that client-side apply stores: the object without that annotation. */
export function configurationOf(object: ApiObject, annotation: string): ApiObject {
  const { annotations: { [annotation]: _, ...annotations } = {}, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, annotations } }
}

/** The object with its configuration in the annotation. */
export function withLastApplied(object: ApiObject, annotation: string): ApiObject {
  const plain = configurationOf(object, annotation)
  const annotations = { ...plain.metadata.annotations, [annotation]: `${JSON.stringify(plain)}\n` }
  return { ...plain, metadata: { ...plain.metadata, annotations } }
}

/** The configuration that was applied last; undefined if the object has none that can be read. */
export function lastAppliedOf({ metadata }: ApiObject, annotation: string): unknown {
  try {
    return JSON.parse(metadata.annotations?.[annotation] ?? '')
  } catch {
    return undefined
  }
}

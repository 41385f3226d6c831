import type { Anything } from './api.js'
import type { ResourceType } from './resource-type.js'

/** Values of Secrets are hidden unless the user reveals them. */

export const isSecretType = ({ group, resource }: Pick<ResourceType, 'group' | 'resource'>): boolean =>
  group === '' && resource === 'secrets'

const hiddenText = '••••••••'
const hideAll = (values: Anything): Anything =>
  typeof values === 'object' && values !== null
    ? Object.fromEntries(Object.keys(values).map(key => [key, `${hiddenText}${fingerprint(values[key])}`]))
    : values
/** Shows whether two values are equal without revealing them. Numbers differ from page to page. */
const known = new Map<string, number>()
function fingerprint(value: unknown): string {
  const text = JSON.stringify(value)
  if (!known.has(text)) known.set(text, known.size + 1)
  return ` (value ${known.get(text)})`
}

/** Hides values, including those in the last applied configuration. */
export function withHiddenValues(object: Anything): Anything {
  const { annotations } = object.metadata ?? {}
  const shown = annotations && {
    ...annotations,
    ...Object.fromEntries(
      Object.keys(annotations)
        .filter(key => key.endsWith('/last-applied-configuration'))
        .map(key => [key, hiddenText]),
    ),
  }
  return {
    ...object,
    metadata: { ...object.metadata, ...(shown ? { annotations: shown } : {}) },
    ...('data' in object ? { data: hideAll(object.data) } : {}),
    ...('stringData' in object ? { stringData: hideAll(object.stringData) } : {}),
  }
}

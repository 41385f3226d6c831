import { emptySet, type FieldSet, setOf, union } from './structured-merge/field-set.js'
import { fieldElement } from './structured-merge/path-element.js'

const pathOf = (dotted: string) => dotted.split('.').map(fieldElement)

/** Fields that say which object this is, or that only the server writes. Nobody owns them. */
const serverFields = setOf(
  [
    'apiVersion',
    'kind',
    'metadata.name',
    'metadata.namespace',
    'metadata.creationTimestamp',
    'metadata.selfLink',
    'metadata.uid',
    'metadata.clusterName',
    'metadata.generation',
    'metadata.managedFields',
    'metadata.resourceVersion',
  ].map(pathOf),
)

/** `metadata` itself, though not what is in it. */
export const metadataItself: FieldSet = setOf([pathOf('metadata')])

const known = new WeakMap<readonly string[], { readonly reset: FieldSet; readonly ignored: FieldSet }>()

/** The fields a path resets, and these together with what nobody owns, from their dotted paths. */
export function unownedFields(resetFields: readonly string[]): {
  readonly reset: FieldSet
  readonly ignored: FieldSet
} {
  let sets = known.get(resetFields)
  if (!sets) {
    const reset = resetFields.length === 0 ? emptySet : setOf(resetFields.map(pathOf))
    sets = { reset, ignored: union(serverFields, reset) }
    known.set(resetFields, sets)
  }
  return sets
}

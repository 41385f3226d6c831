import { ResourceType } from '../../kernel/index.js'
import type { FieldError } from '../resource/field-errors.js'
import type { TSchema } from '../resource/schema.js'

/**
 * The errors of an object by the limits of a `Kind(...)`: the server reports them together with those of the strategy.
 */
export function schemaErrors(schema: TSchema, object: object): FieldError[] {
  const type = new ResourceType('test', {
    group: 'example.com',
    kind: 'Tested',
    resource: 'tested',
    namespaced: false,
    versions: [{ name: 'v1', schema }],
  })
  return type.storage.checkConstraints?.(object) ?? []
}

import { ResourceType } from '../../kernel/index.js'
import type { FieldError } from '../resource/field-errors.js'
import type { TSchema } from '../resource/schema.js'

/** What the limits of a `Kind(...)` say about an object: the server answers this beside what the strategy finds. */
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

import { type ApiObject, requestJson } from './api.js'
import type { Path } from './field-sets.js'
import { objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'
import { type Schema, schemaOf, type TypeSchema } from './schemas.js'

/** Schemas of options that each object has for itself: those of a Plugin are defined by its package. */

export const optionsPath: Path = ['spec', 'options']
const subresource = 'options'

/** The schema of the object's type, including the object's own options if it has any. */
export async function schemaFor(type: ResourceType, object: ApiObject): Promise<TypeSchema | undefined> {
  const schema = await schemaOf(type)
  if (!schema?.at(optionsPath) || !type.subresources.includes(subresource)) return schema
  const path = objectPath(type, object.metadata.namespace, object.metadata.name)
  const own = await requestJson<Schema>(`${path}/${subresource}`).catch(() => undefined)
  return own?.properties ? schema.withField(optionsPath, withChoices(own)) : schema
}

/** Converts a union of constants to an enum, as in other schemas. */
function withChoices(schema: Schema): Schema {
  const { anyOf, properties, items, ...rest } = schema
  const choices = anyOf?.map(each => each['const'])
  return {
    ...rest,
    ...(choices?.every(each => each !== undefined) ? { enum: choices } : {}),
    ...(items ? { items: withChoices(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withChoices(each)])) }
      : {}),
  }
}

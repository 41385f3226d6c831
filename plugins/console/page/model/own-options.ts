import { type ApiObject, requestJson } from './api.js'
import type { Path } from './field-sets.js'
import { objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'
import { type Schema, schemaOf, type TypeSchema } from './schemas.js'

/** The schema of a type leaves the options of its objects open where each object has its own: a Plugin has those of its package. */

export const optionsPath: Path = ['spec', 'options']
const subresource = 'options'

/** The schema for one object: that of its type, with that of its own options if it has any. */
export async function schemaFor(type: ResourceType, object: ApiObject): Promise<TypeSchema | undefined> {
  const schema = await schemaOf(type)
  if (!schema?.at(optionsPath) || !type.subresources.includes(subresource)) return schema
  const path = objectPath(type, object.metadata.namespace, object.metadata.name)
  const own = await requestJson<Schema>(`${path}/${subresource}`).catch(() => undefined)
  return own?.properties ? schema.withField(optionsPath, withChoices(own)) : schema
}

/** One of several constants is a choice, as in other schemas. */
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

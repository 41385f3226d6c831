import { copyValue, setField } from './prune.js'
import { itemSchema, type SchemaNode, valueSchema } from './schema-node.js'

type Json = Record<string, unknown>
/** Fills defaults into the value, in place. */
export type Fill = (value: unknown) => void

/**
 * Compiles a schema into a function that sets the defaults of missing fields. A null that the schema does not allow counts as
 * missing: it is replaced by the default, or dropped.
 */
export function compileDefaults(schema: SchemaNode): Fill {
  let compiled: Fill | undefined
  return value => {
    if (typeof value !== 'object' || value === null) return
    compiled ??= compile(schema)
    compiled(value)
  }
}

function compile(schema: SchemaNode): Fill {
  const item = itemSchema(schema)
  const fillItem = item && compileDefaults(item)
  const fillFields = compileFields(schema)
  return value => {
    if (!Array.isArray(value)) return fillFields(value as Json)
    if (!item) return
    value.forEach((each, index) => {
      if (each === null && !item.nullable && item.default !== undefined) value[index] = copyValue(item.default)
      fillItem!(value[index])
    })
  }
}

function compileFields(schema: SchemaNode): (value: Json) => void {
  const fields = [...schema.properties].map(([name, field]) => ({ name, field, fill: compileDefaults(field) }))
  const values = valueSchema(schema)
  const fillValue = values && compileDefaults(values)
  return object => {
    for (const { name, field, fill } of fields) {
      const present = Object.hasOwn(object, name) ? object[name] : undefined
      if (present === undefined || (present === null && !field.nullable)) {
        if (field.default !== undefined) setField(object, name, copyValue(field.default))
        else if (present === null) delete object[name]
        else continue
      }
      fill(object[name])
    }
    if (!values) return
    for (const name of Object.keys(object)) {
      if (schema.properties.has(name)) continue
      if (object[name] === null && !values.nullable) {
        if (values.default === undefined) delete object[name]
        else setField(object, name, copyValue(values.default))
      }
      fillValue!(object[name])
    }
  }
}

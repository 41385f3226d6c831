import type { JsonObject } from 'orch/sdk'

/** An object with the required fields of a schema. Expressions and rules are ignored. */
export function sampleOf(schema: JsonObject): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...sample } = sampleValue(schema) as JsonObject
  return sample
}

function sampleValue(schema: JsonObject): unknown {
  const { default: given, enum: values, minimum = 0, minLength = 1, minItems = 0 } = schema
  if (given !== undefined) return given
  if (Array.isArray(values)) return values[0]
  switch (schema['type']) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>
      const required = (schema['required'] ?? []) as string[]
      return Object.fromEntries(required.map(name => [name, sampleValue(properties[name] ?? {})]))
    }
    case 'array':
      return Array.from({ length: Number(minItems) }, () => sampleValue((schema['items'] ?? {}) as JsonObject))
    case 'integer':
    case 'number':
      return Math.max(Number(minimum), 0)
    case 'boolean':
      return false
    case 'string':
      return 'x'.repeat(Number(minLength))
    default:
      return Object.keys(schema).some(key => key.endsWith('-int-or-string')) ? 1 : {}
  }
}

import { join } from 'node:path'
import { startServer } from 'orch/sdk/testing'
import config from '../../orch.config.js'
import { root } from './sources.js'

/** The committed list of every operation and every field that the default configuration serves. */
export const apiSurfaceFile = join(root, 'test/api-surface.txt')

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly $ref?: string
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
}
interface Document {
  readonly paths: Record<string, Record<string, unknown>>
  readonly definitions: Record<string, Schema>
}

/** The list as the server describes itself, a line each, sorted. */
export async function describeApi(): Promise<string[]> {
  const server = await startServer({ plugins: config.plugins, options: { controllers: ['-namespace'] } })
  try {
    const headers = { authorization: `Bearer ${server.token}` }
    const response = await fetch(`${server.baseUrl}/openapi/v2`, { headers })
    const document = JSON.parse(await response.text()) as Document
    return [...operationsOf(document), ...fieldsOf(document)].sort()
  } finally {
    await server.stop()
  }
}

function operationsOf({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(key => key !== 'parameters')
      .map(method => `${method.toUpperCase()} ${path}`),
  )
}

function fieldsOf({ definitions }: Document): string[] {
  return Object.entries(definitions).flatMap(([name, { properties = {}, required = [] }]) =>
    Object.entries(properties).map(
      ([field, schema]) => `${name} ${field} ${typeOf(schema)}${required.includes(field) ? ' required' : ''}`,
    ),
  )
}

function typeOf({ type, format, $ref, items, additionalProperties }: Schema): string {
  if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (items) return `[]${typeOf(items)}`
  if (additionalProperties) return `map<${typeOf(additionalProperties)}>`
  return [type ?? 'any', format].filter(Boolean).join(':')
}

/** Does a line belong to a stable version? Such a line may never go away: SPEC.md, Versioning, 4. */
export function isStable(line: string): boolean {
  const version = /[./](v\d+(?:(?:alpha|beta)\d+)?)(?=[./ ]|$)/.exec(line)?.[1]
  return version !== undefined && !/alpha|beta/.test(version)
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from 'orch/sdk/testing'
import config from '../../orch.config.js'
import { root } from './sources.js'

/** The committed list of everything that the default configuration serves: a line for each path and each definition. */
export const apiSurfaceFile = join(root, 'test/api-surface.txt')

/** The recorded entries, one for each operation and each field: `/api/v1/pods GET`, `io.orch.api.core.v1.Pod spec any`. */
export function committedApi(): string[] {
  if (!existsSync(apiSurfaceFile)) return []
  const lines = readFileSync(apiSurfaceFile, 'utf8').trim().split('\n')
  return lines.flatMap(line => {
    const [subject = '', entries = ''] = line.split(': ')
    return entries.split(', ').map(entry => `${subject} ${entry}`)
  })
}

/** The text of the file for these entries. */
export function surfaceText(entries: readonly string[]): string {
  const bySubject = new Map<string, string[]>()
  for (const entry of [...entries].sort()) {
    const end = entry.indexOf(' ')
    const subject = entry.slice(0, end)
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), entry.slice(end + 1)])
  }
  return [...bySubject].map(([subject, its]) => `${subject}: ${its.join(', ')}\n`).join('')
}

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

/** The entries as the server describes itself, sorted. */
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
      .map(method => `${path} ${method.toUpperCase()}`),
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

/** Whether an entry belongs to a stable version. Such an entry must never be removed: SPEC.md, Versioning, 4. */
export function isStable(entry: string): boolean {
  const version = /[./](v\d+(?:(?:alpha|beta)\d+)?)(?=[./ ]|$)/.exec(entry)?.[1]
  return version !== undefined && !/alpha|beta/.test(version)
}

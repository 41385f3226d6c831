import { ApiError } from 'orch/sdk'
import type { Client, KindInfo } from 'orch/sdk/client'

/** The parts of an OpenAPI schema that are explained. */
export interface Schema {
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
}
/** The schema of a kind, and all schemas that it may reference. */
export interface Schemas {
  readonly root: Schema
  readonly all: Readonly<Record<string, Schema>>
}

interface Index {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL: string }>>
}
interface Document {
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Version 3 has a small document for each group; servers without it have one large document in version 2. */
export async function findSchema(client: Client, kind: KindInfo, inVersion2 = false): Promise<Schemas | undefined> {
  const get = async <A>(path: string): Promise<A> => {
    const answer = await client.request<A | string>({ method: 'GET', path, headers: {} })
    // Servers send some of these documents as text.
    return typeof answer === 'string' ? (JSON.parse(answer) as A) : answer
  }
  const place = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`
  if (inVersion2) return schemaOf(kind, (await get<Document>('/openapi/v2')).definitions ?? {})
  try {
    const { paths = {} } = await get<Index>('/openapi/v3')
    const url = paths[place]?.serverRelativeURL
    if (url !== undefined) {
      const found = schemaOf(kind, (await get<Document>(url)).components?.schemas ?? {})
      if (found) return found
    }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 403)) throw error
  }
  return schemaOf(kind, (await get<Document>('/openapi/v2')).definitions ?? {})
}

interface KindName {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
}
/** The prefix of the extension with the kind depends on the vendor; the suffix is always the same. */
const kindNamesOf = (schema: Schema): readonly KindName[] =>
  Object.entries(schema).flatMap(([key, value]) =>
    key.endsWith('-group-version-kind') && Array.isArray(value) ? (value as KindName[]) : [],
  )

function schemaOf(kind: KindInfo, all: Readonly<Record<string, Schema>>): Schemas | undefined {
  const root = Object.values(all).find(schema =>
    kindNamesOf(schema).some(
      one => (one.group ?? '') === kind.group && one.version === kind.version && one.kind === kind.kind,
    ),
  )
  return root && { root, all }
}

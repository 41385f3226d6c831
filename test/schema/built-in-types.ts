import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TSchema } from 'orch/sdk'
import * as core from 'orch/sdk/core'
import { buildTypeModel, type StructNode } from '../../kernel/schema/type-model.js'

const plugins = fileURLToPath(new URL('../../plugins/', import.meta.url))

/** The models of every kind that a first-party plugin declares in a schema file, or the sdk for several of them, by struct name. */
export async function builtInTypes(): Promise<Map<string, StructNode>> {
  const types = new Map<string, StructNode>()
  const addKinds = (module: Readonly<Record<string, unknown>>) => {
    for (const schema of Object.values(module))
      if (isKind(schema)) types.set(schema['typeName'] as string, buildTypeModel(schema) as StructNode)
  }
  for (const file of readdirSync(plugins, { recursive: true, encoding: 'utf8' })) {
    if (!/schema(-v\w+)?\.js$/.test(file)) continue
    const module = (await import(pathToFileURL(join(plugins, file)).href)) as Record<string, unknown>
    addKinds(module)
  }
  addKinds(core)
  return types
}

function isKind(value: unknown): value is TSchema {
  const schema = value as { typeName?: string; properties?: Record<string, { typeName?: string }> } | undefined
  return schema?.typeName !== undefined && schema.properties?.['metadata']?.typeName === 'meta.v1.ObjectMeta'
}

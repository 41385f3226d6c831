import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ApiObject } from 'orch/sdk'
import { ownDefinitions } from './own-definitions.js'

/** A definition, and the response of the reference (1.36) to its creation with dryRun=All and fieldValidation=Strict. */
export interface CorpusEntry {
  readonly from: string
  readonly expect: { readonly status: number; readonly reason?: string; readonly fields?: readonly string[] }
  readonly definition: ApiObject & { readonly spec: DefinitionSpec }
}
export interface DefinitionSpec {
  readonly group: string
  readonly scope: string
  readonly names: { readonly plural: string; readonly kind: string }
  readonly versions: readonly {
    readonly name: string
    readonly served: boolean
    readonly storage: boolean
    readonly schema?: { readonly openAPIV3Schema: Record<string, unknown> }
    readonly subresources?: { readonly status?: object; readonly scale?: object }
  }[]
}

/**
 * Definitions that projects publish. They are licensed by these projects and not part of this one: they are read from
 * ORCH_CORPUS, or next to the repository. Without them our own definitions are used.
 */
export function readCorpus(): readonly CorpusEntry[] {
  const beside = fileURLToPath(new URL('../../../../shared/corpus/definitions.jsonl', import.meta.url))
  const path = process.env['ORCH_CORPUS'] ?? beside
  if (!existsSync(path)) return ownDefinitions
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
  return [...ownDefinitions, ...lines.map(line => JSON.parse(line) as CorpusEntry)]
}

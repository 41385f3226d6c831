import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ApiObject } from '../resource/meta.js'
import { readYaml } from '../yaml/read-yaml.js'

/** The path of a YAML or JSON file, or of a folder of them, or an object. */
export type ManifestSource = string | ApiObject

const endings = ['.yaml', '.yml', '.json']

/** The objects of all sources, in order. Those of a `List` stand for themselves. */
export function readManifests(sources: readonly ManifestSource[]): ApiObject[] {
  return sources.flatMap(source => (typeof source === 'string' ? filesOf(source).flatMap(readFile) : [source]))
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter(name => endings.includes(extname(name)))
  return names.sort().map(name => join(path, name))
}

function readFile(path: string): ApiObject[] {
  const { documents } = readYaml(readFileSync(path, 'utf8'))
  return documents.flatMap(document => {
    if (document === null || document === undefined) return []
    const { kind, items } = document as { kind?: unknown; items?: unknown }
    if (typeof kind !== 'string') throw new Error(`${path} has a document without a kind`)
    return kind === 'List' && Array.isArray(items) ? (items as ApiObject[]) : [document as ApiObject]
  })
}

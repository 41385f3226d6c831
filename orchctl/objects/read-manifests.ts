import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiObject } from 'orch/sdk'
import type { Flags } from '../arguments/flags.js'
import { parseYamlDocuments } from '../output/yaml-text.js'
import { readFile, reading } from '../read-file.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { kustomize } from './kustomize/kustomize.js'

/** An object and the file that it comes from. */
export interface Manifest {
  readonly object: ApiObject
  readonly origin: string
}

/** Whether the command line names files or a folder to read objects from. */
export const readsManifests = (flags: Flags): boolean => flags.has('filename') || flags.has('kustomize')

/** Reads the objects of all `-f` (files, folders, `-`) or `-k`. Lists are split into their items. */
export async function readManifests(flags: Flags, terminal: Terminal): Promise<Manifest[]> {
  const paths = flags.list('filename')
  const folder = flags.text('kustomize')
  if (folder !== undefined) {
    if (paths.length > 0) throw new UsageError('read files with -f or a folder with -k, not both')
    return kustomize(folder).map(object => ({ object, origin: folder }))
  }
  if (paths.length === 0) throw new UsageError('name files to read: -f FILE, -f FOLDER or -f -')
  return readPaths(paths, flags.is('recursive'), terminal)
}

/** The objects of files, folders and `-`. */
export async function readPaths(paths: readonly string[], recursive: boolean, terminal: Terminal): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const path of paths)
    for (const source of await sourcesOf(path, recursive, terminal))
      for (const document of parseYamlDocuments(source.text, source.origin))
        manifests.push(...objectsOf(document, source.origin).map(object => ({ object, origin: source.origin })))
  if (manifests.length === 0) throw new UsageError(`no objects in ${paths.join(', ')}`)
  return manifests
}

interface Source {
  readonly origin: string
  readonly text: string
}
async function sourcesOf(path: string, recursive: boolean, terminal: Terminal): Promise<Source[]> {
  if (path === '-') return [{ origin: 'standard input', text: await terminal.readInput() }]
  const isFolder = reading(path, () => statSync(path)).isDirectory()
  const files = isFolder ? reading(path, () => filesBelow(path, recursive)) : [path]
  return files.map(file => ({ origin: file, text: readFile(file).toString('utf8') }))
}

function filesBelow(folder: string, recursive: boolean): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return recursive ? filesBelow(path, recursive) : []
      return /\.(ya?ml|json)$/.test(entry.name) ? [path] : []
    })
}

/** The objects of a document; a list is split into its items. */
export function objectsOf(document: unknown, origin: string): ApiObject[] {
  const { apiVersion, kind, items, metadata = {} } = (document ?? {}) as Partial<ApiObject>
  if (typeof kind !== 'string' || typeof apiVersion !== 'string')
    throw new UsageError(`${origin}: every document needs apiVersion and kind`)
  if (kind.endsWith('List') && Array.isArray(items)) {
    // Servers omit apiVersion and kind of items, which follow from those of the list.
    const known = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) }
    return items.flatMap(item => objectsOf({ ...known, ...item }, origin))
  }
  if (typeof metadata !== 'object' || metadata === null) throw new UsageError(`${origin}: ${kind} needs metadata.name`)
  return [{ ...(document as ApiObject), metadata }]
}

/** The name of an object. It is required except for create, where the server can generate it. */
export function nameIn({ object, origin }: Manifest): string {
  const { name } = object.metadata
  if (!name) throw new UsageError(`${origin}: ${object.kind} needs metadata.name`)
  return name
}

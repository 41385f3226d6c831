import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientConfigPaths } from 'orch/sdk/client'
import { type Document, isSeq, parseDocument } from 'yaml'
import type { Call } from '../command.js'
import { vendorNamed, vendorOfConfig } from './detect-vendor.js'

const emptyConfig = 'apiVersion: v1\nkind: Config\n'

/** The source of the client config for this call. */
export function configSource({ flags, terminal }: Pick<Call, 'flags' | 'terminal'>) {
  const name = flags.text('vendor')
  const vendor = name === undefined ? vendorOfConfig(terminal.environment) : vendorNamed(name)
  return { vendor, environment: terminal.environment, path: flags.text('config') }
}

/** The file to change: the first that contains the entry, otherwise the first that exists, otherwise the first. */
export function fileToChange(
  call: Pick<Call, 'flags' | 'terminal'>,
  hasEntry: (document: Document) => boolean,
): string {
  const paths = clientConfigPaths(configSource(call))
  const existing = paths.filter(path => existsSync(path))
  return existing.find(path => hasEntry(parseDocument(readFileSync(path, 'utf8')))) ?? existing[0] ?? paths[0] ?? ''
}

/** Changes a config file; comments and everything else are preserved. */
export function changeConfigFile(path: string, change: (document: Document) => void): void {
  const exists = existsSync(path)
  // If the path is a symbolic link, its target is replaced and the link preserved.
  const file = exists ? realpathSync(path) : path
  const document = parseDocument(exists ? readFileSync(file, 'utf8') : emptyConfig)
  change(document)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Written to a temporary file and renamed, so that no reader sees a partial file.
  const temporary = `${file}.${randomUUID()}`
  try {
    writeFileSync(temporary, document.toString(), { mode: exists ? statSync(file).mode & 0o777 : 0o600 })
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** The index of a named entry of a list such as `contexts`; -1 if there is none. */
export function indexOfEntry(document: Document, list: string, name: string): number {
  const entries = document.get(list)
  return isSeq(entries) ? entries.items.findIndex((_, index) => document.getIn([list, index, 'name']) === name) : -1
}

/** Sets fields of a named entry of a list such as `contexts`; adds the entry if it is missing. */
export function setEntry(
  document: Document,
  list: string,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  let index = indexOfEntry(document, list, name)
  if (index < 0) {
    // Other programs write `contexts: null` for an empty list.
    if (!isSeq(document.get(list))) document.set(list, document.createNode([]))
    document.addIn([list], document.createNode({ name, [singular(list)]: {} }))
    index = indexOfEntry(document, list, name)
  }
  for (const [field, value] of Object.entries(fields)) {
    const path = [list, index, singular(list), field]
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
  }
}

const singular = (list: string) => list.slice(0, -1)

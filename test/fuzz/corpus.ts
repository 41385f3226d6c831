import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goldenFolder } from '../golden/server-flags.js'

/** Recorded bodies, by their path without names and namespaces. */
export type Corpus = ReadonlyMap<string, readonly string[]>

interface Step {
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
}

/** The place of a body in the corpus: `/api/v1/pods/status`. */
export function corpusKey(path: string): string {
  const [plain = ''] = path.split('?')
  const parts = plain.split('/').filter(part => part !== '')
  const root = parts.splice(0, parts[0] === 'api' ? 2 : 3)
  if (parts[0] === 'namespaces' && parts.length > 2) parts.splice(0, 2)
  const [resource = '', , subresource = ''] = parts
  return `/${[...root, resource, subresource].filter(part => part !== '').join('/')}`
}

/** The bodies of the recorded conversations, with the names of a vendor. */
export function loadCorpus(vendor: string): Corpus {
  const corpus = new Map<string, string[]>()
  const scenarios = join(goldenFolder, 'scenarios')
  for (const file of readdirSync(scenarios, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.json')) continue
    const text = readFileSync(join(scenarios, file), 'utf8')
    const { steps } = JSON.parse(vendor === 'orch' ? text.replaceAll(/\b(?:k8s|kubernetes)\.io\b/g, 'orch.io') : text)
    for (const { method, path, body } of steps as Step[]) {
      if (method === undefined || path === undefined || typeof body !== 'object') continue
      const key = corpusKey(path)
      const known = corpus.get(key) ?? []
      corpus.set(key, known)
      known.push(
        JSON.stringify(body)
          .replaceAll('{{ns}}', 'fuzz')
          .replaceAll(/\{\{\w+\}\}/g, 'a'),
      )
    }
  }
  return corpus
}

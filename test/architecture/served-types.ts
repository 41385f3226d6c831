import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kubernetesProfile } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import config from '../../orch.config.js'
import { root } from './sources.js'

/** The page that lists served and missing types, and the README, which lists missing ones. */
export const servedPage = join(root, 'docs/served.md')
export const readmePage = join(root, 'README.md')
/** The discovery of Kubernetes 1.36, by group version. */
const reference = JSON.parse(readFileSync(join(root, 'test/versions/facts/discovery-1.36.json'), 'utf8')) as Readonly<
  Record<string, readonly { readonly name: string; readonly verbs: readonly string[] }[]>
>

interface Resource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
}
interface Served extends Resource {
  readonly group: string
  readonly version: string
}
/** Something that Kubernetes 1.36 serves and the default configuration does not, or not with these verbs. */
interface Missing {
  readonly groupVersion: string
  readonly name: string
  /** Empty if the whole type is missing. */
  readonly verbs: readonly string[]
}

/** Discovery of the default configuration with the vendor kubernetes. */
export async function servedTypes(): Promise<Served[]> {
  const server = await startServer({
    plugins: config.plugins,
    vendor: kubernetesProfile,
    options: { controllers: ['-namespace'] },
  })
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.token}` } })
    return (await answer.json()) as T
  }
  try {
    const { groups } = await get<{ groups: { versions: { groupVersion: string }[] }[] }>('/apis')
    const versions = ['v1', ...groups.flatMap(one => one.versions.map(({ groupVersion }) => groupVersion))]
    const found: Served[] = []
    for (const groupVersion of versions) {
      const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion]
      const path = group === '' ? `/api/${version}` : `/apis/${groupVersion}`
      const { resources } = await get<{ resources: Resource[] }>(path)
      for (const resource of resources) found.push({ ...resource, group, version })
    }
    return found
  } finally {
    await server.stop()
  }
}

const groupVersionOf = ({ group, version }: Served) => (group === '' ? version : `${group}/${version}`)

export function missingTypes(served: readonly Served[]): Missing[] {
  const verbsOf = new Map(served.map(one => [`${groupVersionOf(one)} ${one.name}`, one.verbs]))
  return Object.entries(reference).flatMap(([groupVersion, types]) =>
    types.flatMap(({ name, verbs }): Missing[] => {
      const here = verbsOf.get(`${groupVersion} ${name}`)
      if (here === undefined) return [{ groupVersion, name, verbs: [] }]
      const lacking = verbs.filter(verb => !here.includes(verb))
      return lacking.length > 0 ? [{ groupVersion, name, verbs: lacking }] : []
    }),
  )
}

const code = (words: readonly string[]) => words.map(word => `\`${word}\``).join(', ')
export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(3, ...all.map(row => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** The verbs of nearly every type; the table shows only differences. */
const usualVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** A row for every type, its versions and subresources together. */
function typeRows(served: readonly Served[]): string[][] {
  const types = new Map<string, Served[]>()
  for (const one of served) {
    const key = `${one.group}/${one.name.split('/')[0]}`
    types.set(key, [...(types.get(key) ?? []), one])
  }
  return [...types.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, all]) => {
      const own = all.filter(({ name }) => !name.includes('/'))
      const parts = [
        ...new Set(all.filter(({ name }) => name.includes('/')).map(({ name }) => name.split('/')[1] ?? '')),
      ]
      const verbs = own[0]?.verbs ?? []
      const isUsual = usualVerbs.every(verb => verbs.includes(verb))
      return [
        `\`${key.split('/')[0] || 'core'}\``,
        `\`${key.split('/')[1]}\`${own[0]?.shortNames ? ` (${code(own[0].shortNames)})` : ''}`,
        code(own.map(({ version }) => version)),
        own[0]?.namespaced ? 'namespace' : 'cluster',
        isUsual ? 'all' : code(verbs),
        code(parts),
      ]
    })
}

const missingTable = (missing: readonly Missing[]): string =>
  missing.length === 0
    ? 'Nothing: orch serves every type, subresource and verb that Kubernetes 1.36 serves by default.'
    : table(
        ['Version', 'Type', 'What is missing'],
        missing.map(({ groupVersion, name, verbs }) => [
          `\`${groupVersion}\``,
          `\`${name}\``,
          verbs.length === 0 ? 'all of it' : code(verbs),
        ]),
      )

/** The text of the page. */
export function servedText(served: readonly Served[]): string {
  const missing = missingTypes(served)
  return `<!-- Generated by \`npm run api\` from discovery; do not edit it. -->

# What is served

The types of the default configuration under \`--vendor kubernetes\`, which serves 1.36; [other versions](versions.md) serve the types that
Kubernetes served then. Under \`--vendor orch\` groups end with \`.orch.io\` instead of \`.k8s.io\`. Without a plugin its types are not
served; your own plugins and custom resource definitions add types. "All" verbs are ${code(usualVerbs)}.

${table(['Group', 'Type', 'Versions', 'Scope', 'Verbs', 'Subresources'], typeRows(served))}

## What Kubernetes 1.36 serves and orch does not

${missingTable(missing)}
`
}

const begin = '<!-- not served: written by `npm run api` -->'
const end = '<!-- end -->'
/** The README with the current table of missing types. */
export function readmeText(readme: string, served: readonly Served[]): string {
  const [before, rest] = readme.split(begin)
  if (rest === undefined || !rest.includes(end)) throw new Error(`README.md needs ${begin} and ${end}`)
  return `${before}${begin}\n\n${missingTable(missingTypes(served))}\n\n${rest.slice(rest.indexOf(end))}`
}

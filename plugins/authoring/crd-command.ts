import {
  type ActionSubresource,
  ageColumn,
  type CommandDefinition,
  nameColumn,
  type ResourceDefinition,
  type ScalePaths,
  type SubresourceDefinition,
  type VersionDefinition,
} from 'orch/sdk'
import { writeYaml } from 'orch/sdk/files'
import type { PluginTypes } from 'orch/sdk/testing'
import { readCommandLine, refuse } from './command-line.js'

const options = { vendor: { type: 'string' } } as const

/** `orch crd print PLUGIN`: the types of a plugin as CustomResourceDefinitions, for servers that do not have the plugin. */
export const crdCommand: CommandDefinition = {
  name: 'crd',
  usage: 'crd print PLUGIN [--vendor NAME]',
  summary: 'Print the types of a plugin as CustomResourceDefinitions, in YAML.',
  async run(argv, context) {
    const { values, positionals, problem } = readCommandLine(argv, options)
    const [what, plugin, ...more] = positionals
    if (what !== 'print' || plugin === undefined || more.length > 0)
      return refuse(context, 'crd needs a plugin: orch crd print ./plugin.ts')
    if (problem !== undefined) return refuse(context, `crd ${problem}`)
    // Loaded lazily: it is large, and the server does not need it.
    const { pluginTypes } = await import('orch/sdk/testing')
    const { vendor } = values
    const types = await pluginTypes(plugin, { fromDir: context.workingDir, ...(vendor ? { vendor } : {}) })
    const [printed, left] = [[] as ResourceDefinition[], [] as string[]]
    for (const definition of types.resources) {
      const why = reasonNotPrintable(definition)
      if (why) left.push(`${definition.kind} ${why}`)
      else printed.push(definition)
    }
    for (const text of left) context.err(`orch: left out: ${text}\n`)
    if (printed.length === 0) return refuse(context, `${plugin} has no type that a definition can describe`, 1)
    context.out(printed.map(definition => documentOf(definition, types)).join('---\n'))
    return 0
  },
}

/** Why a definition cannot describe a type, which is left out then. */
function reasonNotPrintable({ group, virtual, storedAs }: ResourceDefinition): string | undefined {
  if (virtual) return 'is never stored'
  if (storedAs) return 'is a view of another stored type'
  if (!group.includes('.')) return 'is in a group without a domain'
  return undefined
}

function documentOf(definition: ResourceDefinition, types: PluginTypes): string {
  const { kind } = definition
  const lost = lostParts(definition)
  const head = `# ${kind}${lost.length > 0 ? `, without parts that a definition cannot express: ${lost.join(', ')}` : ''}.\n`
  return head + writeYaml(definitionOf(definition, types))
}

/** The parts of a type that are code. */
function lostParts(definition: ResourceDefinition): string[] {
  const { strategy, versions, subresources, selectableFields } = definition
  const others = Object.entries(subresources ?? {}).filter(([name, each]) => name !== 'status' && !scaleIn(each))
  const computed = versions.flatMap(version => columnsIn(definition, version).filter(({ jsonPath }) => !jsonPath))
  return [
    ...(strategy ? ['the strategy'] : []),
    ...(versions.some(version => version.defaults) ? ['computed defaults'] : []),
    ...(versions.some(version => version.toStorage) ? ['conversion'] : []),
    ...new Set(computed.map(({ name }) => `the column ${name}`)),
    ...(selectableFields ? ['selectable fields'] : []),
    ...others.map(([name]) => `the subresource ${name}`),
  ]
}

const scaleIn = (subresource: SubresourceDefinition | undefined): ScalePaths | undefined =>
  subresource?.kind === 'action' ? (subresource as ActionSubresource).scalePaths : undefined

/** The columns of a version but the name, which every definition has. */
const columnsIn = ({ columns }: ResourceDefinition, version: VersionDefinition) =>
  (version.columns ?? columns ?? []).filter(({ name, format }) => !(name === nameColumn.name && format === 'name'))

/** A definition without columns has the age by default. */
function printedColumns(definition: ResourceDefinition, version: VersionDefinition): object[] {
  const printed = columnsIn(definition, version).filter(({ jsonPath }) => jsonPath)
  if (printed.every(({ jsonPath }) => jsonPath === ageColumn.jsonPath)) return []
  return printed.map(({ name, type, format, priority, description, jsonPath }) => ({
    name,
    type: jsonPath === ageColumn.jsonPath ? 'date' : type,
    ...(format ? { format } : {}),
    ...(priority ? { priority } : {}),
    ...(description ? { description } : {}),
    jsonPath,
  }))
}

/** The subresources of a version that a definition supports. */
function printedSubresources(definition: ResourceDefinition, version: VersionDefinition): object {
  const { status, scale } = version.subresources ?? definition.subresources ?? {}
  const paths = scaleIn(scale)
  return { ...(status ? { status: {} } : {}), ...(paths ? { scale: paths } : {}) }
}

/** The definition that describes a type of a plugin. */
export function definitionOf(definition: ResourceDefinition, { vendor, structuralSchema }: PluginTypes): object {
  const { group, kind, resource, singular, shortNames, categories, listKind, namespaced, versions } = definition
  const storage = versions.find(version => version.storage) ?? versions[0]
  return {
    apiVersion: `${vendor.group('apiextensions')}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {
        plural: resource,
        singular: singular ?? kind.toLowerCase(),
        kind,
        listKind: listKind ?? `${kind}List`,
        ...(shortNames?.length ? { shortNames } : {}),
        ...(categories?.length ? { categories } : {}),
      },
      versions: versions.map(version => ({
        name: version.name,
        served: version.served ?? true,
        storage: version === storage,
        ...(version.deprecated ? { deprecated: true } : {}),
        ...(version.deprecated?.warning ? { deprecationWarning: version.deprecated.warning } : {}),
        schema: { openAPIV3Schema: structuralSchema(version.schema) },
        ...filled('subresources', printedSubresources(definition, version)),
        ...filled('additionalPrinterColumns', printedColumns(definition, version)),
      })),
    },
  }
}

const filled = (key: string, value: object) => (Object.keys(value).length > 0 ? { [key]: value } : {})

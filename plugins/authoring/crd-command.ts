import { parseArgs } from 'node:util'
import { type CommandContext, type CommandDefinition, type ResourceDefinition, writeYaml } from 'orch/sdk'
import type { PluginTypes } from 'orch/sdk/testing'

const options = { vendor: { type: 'string' } } as const

/** `orch crd print PLUGIN`: the types of a plugin as CustomResourceDefinitions, for servers that do not have the plugin. */
export const crdCommand: CommandDefinition = {
  name: 'crd',
  usage: 'crd print PLUGIN [--vendor NAME]',
  summary: 'Print the types of a plugin as CustomResourceDefinitions, in YAML.',
  async run(argv, context) {
    const { values, positionals, tokens } = parseArgs({
      args: [...argv],
      options,
      strict: false,
      allowPositionals: true,
      tokens: true,
    })
    const [what, plugin, ...more] = positionals
    if (what !== 'print' || plugin === undefined || more.length > 0)
      return refuse(context, 'crd needs to know what to print: orch crd print ./plugin.ts')
    const unknown = tokens.find(token => token.kind === 'option' && token.name !== 'vendor')
    if (unknown?.kind === 'option') return refuse(context, `crd has no flag ${unknown.rawName}`)
    if (values.vendor === true) return refuse(context, 'crd needs a value for --vendor')
    // Loaded only now: it is large, and a start of the server needs nothing of it.
    const { pluginTypes } = await import('orch/sdk/testing')
    const vendor = values.vendor as string | undefined
    const types = await pluginTypes(plugin, { fromDir: context.workingDir, ...(vendor ? { vendor } : {}) })
    const [printed, left] = [[] as ResourceDefinition[], [] as string[]]
    for (const definition of types.resources) {
      const why = whyNot(definition)
      if (why) left.push(`${definition.kind} ${why}`)
      else printed.push(definition)
    }
    for (const text of left) context.err(`orch: left out: ${text}\n`)
    if (printed.length === 0) return refuse(context, `${plugin} brings no type that a definition could describe`, 1)
    context.out(printed.map(definition => documentOf(definition, types)).join('---\n'))
    return 0
  },
}

/** What no definition can say: such a type is left out. */
function whyNot({ group, virtual, storedAs }: ResourceDefinition): string | undefined {
  if (virtual) return 'is never stored'
  if (storedAs) return 'is another view of what is stored elsewhere'
  if (!group.includes('.')) return 'is in a group without a domain'
  return undefined
}

function documentOf(definition: ResourceDefinition, types: PluginTypes): string {
  const { kind } = definition
  const lost = lostParts(definition)
  const head = `# ${kind}${lost.length > 0 ? `, without what a definition cannot say: ${lost.join(', ')}` : ''}.\n`
  return head + writeYaml(definitionOf(definition, types))
}

/** The parts of a type that are code. */
function lostParts({ strategy, versions, columns, subresources, selectableFields }: ResourceDefinition): string[] {
  const others = Object.keys(subresources ?? {}).filter(name => name !== 'status')
  return [
    ...(strategy ? ['the strategy'] : []),
    ...(versions.some(version => version.defaults) ? ['computed defaults'] : []),
    ...(versions.some(version => version.toStorage) ? ['conversion'] : []),
    ...(columns || versions.some(version => version.columns) ? ['columns'] : []),
    ...(selectableFields ? ['selectable fields'] : []),
    ...others.map(name => `the subresource ${name}`),
  ]
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
        ...((version.subresources ?? definition.subresources)?.['status'] ? { subresources: { status: {} } } : {}),
      })),
    },
  }
}

function refuse({ err }: CommandContext, why: string, code = 2): number {
  err(`orch: ${why}. See orch help.\n`)
  return code
}

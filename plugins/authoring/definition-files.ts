import type { ScalePaths } from 'orch/sdk'
import { buildFile, compilerFile, configFile, type OwnPackage, packageFile } from './folder-templates.js'
import { camelCase, type PluginNames } from './plugin-names.js'
import type { Definition, DefinitionVersion } from './read-definition.js'
import { sampleOf } from './sample-object.js'
import { type SchemaCode, schemaCode } from './schema-code.js'

/** A plugin that was generated from a definition. */
export interface PluginOfDefinition {
  readonly files: Readonly<Record<string, string>>
  /** Parts of the definition that the plugin lacks, one line each. */
  readonly left: readonly string[]
}

const literal = (value: unknown) => JSON.stringify(value)

/** Generates a plugin from a definition: its schema, required fields, status and columns. */
export function pluginOfDefinition(plugin: string, definition: Definition, own: OwnPackage): PluginOfDefinition {
  const { kind, plural } = definition.names
  const names: PluginNames = {
    plugin,
    variable: camelCase(plural),
    kind,
    single: kind.toLowerCase(),
    resource: plural,
    group: definition.group,
    isIsolated: false,
  }
  const storage = definition.versions.find(version => version.storage) ?? definition.versions[0]!
  const versions = [storage, ...definition.versions.filter(version => version !== storage)]
  const codes = versions.map(version =>
    schemaCode(version.schema!.openAPIV3Schema!, kind, `${camelCase(plugin)}.${version.name}`),
  )
  const left = codes.flatMap(code => code.left)
  const { hasRules } = codes[0]!
  const schemas = versions.map((version, index) => [fileOf(version, storage), schemaFile(codes[index]!)] as const)
  const sample = sampleOf(storage.schema!.openAPIV3Schema!)
  return {
    files: {
      ...Object.fromEntries(schemas.map(([file, text]) => [`${file}.ts`, text])),
      'rules.ts': rulesFile(names, codes[0]!, left, storage.subresources?.scale),
      'resource.ts': resourceFile(names, definition, versions),
      ...(hasRules ? { 'expression-rules.ts': expressionRulesFile(names, storage) } : {}),
      'plugin.ts': pluginFile(names, sample, hasRules),
      'plugin.test.ts': testFile(names),
      'orch.config.ts': configFile(names),
      'package.json': packageFile(names, own),
      'tsconfig.json': compilerFile(),
      'tsconfig.build.json': buildFile(names),
      '.gitignore': 'node_modules/\ndist/\ndata/\n*.tgz\n',
    },
    left,
  }
}

const fileOf = (version: DefinitionVersion, storage: DefinitionVersion) =>
  version === storage ? 'schema' : `schema-${version.name}`
const aliasOf = (kind: string, { name }: DefinitionVersion) => `${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`

const schemaFile = ({ text, imports }: SchemaCode) => `import {
  ${imports.join(', ')}, type ObjectOf,
} from 'orch/sdk'

// The schema of the type: structure, defaults, limits and how lists merge. The numbers are for Protobuf.
${text}`

/** A comment that lists the omitted parts. */
function notesOf(left: readonly string[]): string {
  if (left.length === 0) return ''
  const lines = left.map(line => `// - ${line.replaceAll('\n', ' ')}`)
  return ['// Parts of the definition that this plugin does not implement yet:', ...lines, ''].join('\n')
}

const rulesFile = (
  { kind }: PluginNames,
  { required }: SchemaCode,
  left: readonly string[],
  scale: ScalePaths | undefined,
) => `import {
  type FieldError, requiredValue, type Strategy,
} from 'orch/sdk'
${scale ? "import { validateScale } from 'orch/sdk/core'\n" : ''}import type { ${kind} } from './schema.js'

${notesOf(left)}
/** Required fields: "[]" stands for every item of a list, "{}" for every value of a map. */
const requiredFields: readonly string[] = ${literal(required)}

/** Returns all errors of an object at once. Must not throw. */
export function validate(object: ${kind}): FieldError[] {
  return ${scale ? `[...validateScale(object, ${literal(scale)}), ...missingFields(object)]` : 'missingFields(object)'}
}
function missingFields(object: ${kind}): FieldError[] {
  return requiredFields.flatMap(path => missing(object, path.match(/[^.[\\]{}]+|\\[\\]|\\{\\}/g) ?? [], ''))
}

function missing(value: unknown, [step, ...rest]: readonly string[], at: string): FieldError[] {
  if (typeof value !== 'object' || value === null || step === undefined) return []
  if (step === '[]' || step === '{}') {
    const of = (key: string) => (step === '[]' ? at + '[' + key + ']' : at + '.' + key)
    return Object.entries(value).flatMap(([key, each]) => missing(each, rest, of(key)))
  }
  const path = at === '' ? step : at + '.' + step
  const found = Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
  if (rest.length > 0) return missing(found, rest, path)
  return found === undefined ? [requiredValue(path)] : []
}

type WithStatus = ${kind} & { status?: unknown }

/** Clients write everything but the status, which is a subresource. */
export const mainStrategy = {
  prepareForCreate: draft => void delete draft.status,
  prepareForUpdate: (draft, stored) => void Object.assign(draft, { status: stored.status }),
  validate,
  validateUpdate: validate,
  resetFields: ['status'],
} satisfies Strategy<WithStatus>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    const { metadata, status } = draft
    Object.assign(draft, { ...stored, metadata, status })
  },
  validateUpdate: validate,
  resetFields: ['spec'],
} satisfies Strategy<WithStatus>

/** For a type without a status of its own. */
export const plainStrategy = { validate, validateUpdate: validate } satisfies Strategy<${kind}>
`

const sameObjects = `// Versions have the same fields, as in the definition; convert differences here.
const same = (object: unknown) => object
`

function resourceFile(names: PluginNames, definition: Definition, versions: readonly DefinitionVersion[]): string {
  const { kind, variable, group } = names
  const [storage, ...others] = versions as [DefinitionVersion, ...DefinitionVersion[]]
  const { singular, listKind, shortNames, categories } = definition.names
  const hasStatus = storage.subresources?.status !== undefined
  const { scale } = storage.subresources ?? {}
  const columns = (storage.additionalPrinterColumns ?? []).map(
    ({ name, type, format, priority, description = name, jsonPath }) =>
      `  pathColumn(${literal({ name, type, format, priority, description, jsonPath })}),\n`,
  )
  const subresources = [
    ...(hasStatus ? ["status: { kind: 'update', strategy: statusStrategy }"] : []),
    ...(scale
      ? [`scale: scaleAtPaths({ group: ${literal(group)}, resource: ${literal(names.resource)} }, ${literal(scale)})`]
      : []),
  ]
  const optional = Object.entries({ singular, listKind, shortNames, categories })
    .filter(([, value]) => value?.length)
    .map(([key, value]) => `  ${key}: ${literal(value)},\n`)
  const imports = others.map(
    version => `import { ${kind} as ${aliasOf(kind, version)} } from './schema-${version.name}.js'\n`,
  )
  const same = others.length > 0 ? sameObjects : ''
  const versionCode = (version: DefinitionVersion) =>
    `    { name: ${literal(version.name)}, schema: ${version === storage ? kind : aliasOf(kind, version)}, served: ${version.served ?? true}${version === storage ? ', storage: true' : ', toStorage: same, fromStorage: same'} },\n`
  return `import { ${columns.length > 0 ? '' : 'ageColumn, '}defineResource, nameColumn${columns.length > 0 ? ', pathColumn' : ''} } from 'orch/sdk'
${scale ? "import { scaleAtPaths } from 'orch/sdk/core'\n" : ''}import { ${hasStatus ? 'mainStrategy, statusStrategy' : 'plainStrategy'} } from './rules.js'
import { ${kind} } from './schema.js'
${imports.join('')}
${same}const columns = [
  nameColumn,
${columns.join('') || '  ageColumn,\n'}]

export const ${variable} = defineResource({
  group: ${literal(group)},
  kind: ${literal(kind)},
  resource: ${literal(names.resource)},
${optional.join('')}  namespaced: ${definition.scope === 'Namespaced'},
  versions: [
${versions.map(versionCode).join('')}  ],
  strategy: ${hasStatus ? 'mainStrategy' : 'plainStrategy'},
${subresources.length > 0 ? `  subresources: {\n    ${subresources.join(',\n    ')},\n  },\n` : ''}  columns,
})
`
}

/** Rules in CEL are kept: the plugin evaluates them with a service. */
const expressionRulesFile = (
  { kind, resource, group }: PluginNames,
  { schema }: DefinitionVersion,
) => `import { defineAdmission, invalid } from 'orch/sdk'
import { type RuleCheck, schemaRules } from 'orch/sdk/expressions'

// Only its rules are used here; the type itself is in schema.ts.
const schema = ${literal(schema?.openAPIV3Schema)}

let checking: Promise<RuleCheck | undefined> | undefined

/** The rules in CEL, compiled on first use. */
export const expressionRules = defineAdmission()({
  name: '${kind}Rules',
  phase: 'validate',
  sideEffects: 'none',
  matches: { group: '${group}', resource: '${resource}', operations: ['create', 'update'] },
  needs: { rules: schemaRules },
  async review({ object, oldObject, name, subresource }, { rules }) {
    if (subresource !== '' && subresource !== 'status') return
    checking ??= rules.rulesOf(schema)
    const check = await checking
    const errors = check?.(object, oldObject) ?? []
    if (errors.length > 0) throw invalid({ group: '${group}', kind: '${kind}' }, name, errors)
  },
})
`

const pluginFile = ({ plugin, variable, resource, group }: PluginNames, sample: object, hasRules: boolean) => `import {
  type ConformanceSamples, definePlugin,
} from 'orch/sdk'
${hasRules ? "import { expressionRules } from './expression-rules.js'\n" : ''}import { ${variable} } from './resource.js'

export const ${variable}Plugin = definePlugin({
  name: ${literal(plugin)},
  sdk: '^1.0.0',
${
  hasRules
    ? `  // Provides the service that evaluates the rules.
  requires: ['custom-resources'],
  register(to) {
    to.resource(${variable})
    to.admission(expressionRules)
  },`
    : `  register: to => to.resource(${variable}),`
}
})

/** Samples for "orch conformance", in addition to random objects. */
export const conformance = {
  samples: { '${resource}.${group}': { valid: () => (${JSON.stringify(sample)}) } },
} satisfies ConformanceSamples
`

const testFile = ({ variable, plugin }: PluginNames) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceConformance } from 'orch/sdk/testing'
import { conformance as ${variable}Samples } from './plugin.js'
import { ${variable} } from './resource.js'

// Tests every verb and rule of the API on the type over HTTP.
const [samples] = Object.values(${variable}Samples.samples)
test('${plugin}: serves the whole API', async () => {
  for (const { name, run } of resourceConformance({ resource: ${variable}, ...samples }))
    await run().catch(error => assert.fail(name + ': ' + error.message))
})
`

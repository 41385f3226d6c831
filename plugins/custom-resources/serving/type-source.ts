import { createHash } from 'node:crypto'
import {
  type ApiObject,
  type Column,
  type Deprecation,
  defineHealthCheck,
  isRecord,
  type ResourceDefinition,
  type StartTask,
  services,
  type VersionDefinition,
} from 'orch/sdk'
import { type WebhookPosts, webhookPosts } from 'orch/sdk/admission'
import { scaleAtPaths } from 'orch/sdk/core'
import { defineTypeSource } from 'orch/sdk/server'
import { compareApiVersions } from 'orch/sdk/validation'
import { readSchema } from '../../../libs/json-schema/index.js'
import { convertByWebhook } from '../conversion/convert-by-webhook.js'
import type { CustomResourceDefinition, DefinitionVersion } from '../definitions/schema.js'
import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'
import { StructuralSchema } from '../schemas/structural-schema.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import { columnsOf } from './columns.js'
import { modelSchema } from './model-schema.js'
import {
  completeScaled,
  mainStrategy,
  ObjectRules,
  type Subject,
  statusStrategy,
  type VersionRules,
} from './strategy.js'

const has = ({ status }: CustomResourceDefinition, type: string) =>
  status.conditions?.some(condition => condition.type === type && condition.status === 'True') ?? false

/** The types of definitions. A type is served from the establishment of its definition until its removal. */
export const customTypes = (names: CustomResourceNames, features: Features, thread: ValidationThread) =>
  defineTypeSource({
    name: 'custom-resources',
    from: { group: names.group, resource: names.definitions.resource },
    needs: { caches: services.caches, posts: webhookPosts },
    fingerprint(object) {
      const definition = object as CustomResourceDefinition
      const { metadata, spec, status } = definition
      // Must not change with a deletion, so that watches continue while objects are deleted.
      return JSON.stringify([metadata.uid, spec, has(definition, 'Established'), status.acceptedNames])
    },
    types(object: ApiObject, { caches, posts }) {
      const definition = object as CustomResourceDefinition
      if (!has(definition, 'Established')) return []
      const { name = '' } = object.metadata
      const isTerminating = () => caches.of(names.definitions).get('', name)?.metadata.deletionTimestamp !== undefined
      return [typeOf(definition, names, features, posts, isTerminating, thread)]
    },
  })

const cacheNeeds = { caches: services.caches } as const

/**
 * Fills the cache of definitions before the first request: creating an object checks whether its definition is being
 * deleted.
 */
export const fillDefinitionCache = (names: CustomResourceNames): StartTask<typeof cacheNeeds> => ({
  name: 'definitions of custom resources',
  needs: cacheNeeds,
  run: ({ caches }) => caches.of(names.definitions).ready(),
})

/** Health checks under the names of Kubernetes: definitions are known, and their types are served. */
export const definitionChecks = (names: CustomResourceNames) =>
  ['start-apiextensions-informers', 'start-apiextensions-controllers', 'crd-informer-synced'].map(part =>
    defineHealthCheck({
      name: `poststarthook/${part}`,
      needs: cacheNeeds,
      check({ caches }) {
        if (!caches.of(names.definitions).isReady) throw new Error('definitions have not been read yet')
      },
    }),
  )

/** The type that a definition describes. */
export function typeOf(
  { spec, status }: CustomResourceDefinition,
  names: CustomResourceNames,
  features: Features,
  posts: WebhookPosts,
  isTerminating: () => boolean,
  thread: ValidationThread,
): ResourceDefinition {
  const versions = preferredFirst(spec.versions ?? [])
  const { group } = spec
  const { plural, kind, singular, listKind, shortNames, categories } = status.acceptedNames
  const structures = new Map<string, VersionRules>()
  const rulesOf = (name: string): VersionRules => {
    let found = structures.get(name)
    if (!found) {
      const version = versions.find(each => each.name === name) ?? versions[0]!
      const schema = readSchema(version.schema?.openAPIV3Schema ?? {}, names.keywords)
      found = {
        structure: new StructuralSchema(schema, names.keywords, features),
        hasStatus: version.subresources?.status !== undefined,
        scale: version.subresources?.scale,
      }
      structures.set(name, found)
    }
    return found
  }
  const rules = new ObjectRules(rulesOf, names.keywords, features, thread)
  const subject = { group, kind, resource: plural, isTerminating }
  const hasStatus = versions.some(version => version.subresources?.status !== undefined)
  return {
    group,
    kind,
    resource: plural,
    ...(singular ? { singular } : {}),
    ...(listKind ? { listKind } : {}),
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    namespaced: spec.scope === 'Namespaced',
    unstructured: true,
    namesItself: true,
    plainFinalizers: true,
    generation: false,
    conversion: conversionOf(spec, rules, subject, names, posts),
    versions: versions.map(version => versionOf(version, versions, rules, subject, { names, features })),
    ...storedSelectables(spec, features),
    strategy: mainStrategy(rules, subject, hasStatus) as never,
  }
}

/** Conversion by a webhook, if one is configured. Its results are pruned by the schema like the objects of clients. */
function conversionOf(
  { conversion, group }: CustomResourceDefinition['spec'],
  rules: ObjectRules,
  { kind }: Subject,
  { reviewGroup }: CustomResourceNames,
  posts: WebhookPosts,
): NonNullable<ResourceDefinition['conversion']> {
  if (conversion?.strategy !== 'Webhook') return 'none'
  const convert = convertByWebhook(conversion, { group, kind, reviewGroup }, posts)
  return async (objects, from, to) => {
    const { structure } = rules.version(to)
    return (await convert(objects, from, to)).map(({ metadata, ...fields }) => {
      const object = { metadata, ...structure.prune(fields) }
      structure.fillDefaults(object)
      return object
    })
  }
}

/** The replacement of a deprecated version: the highest served version above it that is not deprecated. */
function replacementOf({ name }: DefinitionVersion, versions: readonly DefinitionVersion[]): string | undefined {
  const better = versions.filter(one => one.served && !one.deprecated && compareApiVersions(one.name, name) < 0)
  return better.map(one => one.name).sort(compareApiVersions)[0]
}

function deprecationOf(
  version: DefinitionVersion,
  versions: readonly DefinitionVersion[],
  group: string,
): Deprecation | undefined {
  if (!version.deprecated) return undefined
  if (version.deprecationWarning !== undefined) return { warning: version.deprecationWarning }
  const replacement = replacementOf(version, versions)
  return replacement === undefined ? {} : { replacement: `${group}/${replacement}` }
}

function versionOf(
  version: DefinitionVersion,
  versions: readonly DefinitionVersion[],
  rules: ObjectRules,
  subject: Subject,
  {
    names: { keywords, selectableFieldsKeyword },
    features,
  }: { readonly names: CustomResourceNames; readonly features: Features },
): VersionDefinition {
  const { name } = version
  const { group, kind, resource } = subject
  const deprecated = deprecationOf(version, versions, group)
  const { status, scale } = version.subresources ?? {}
  const selectableFields = selectablesOf(features.selectableFields ? [version] : [])
  const fieldPaths = Object.keys(selectableFields).map(fieldPath => ({ fieldPath }))
  const extras = fieldPaths.length > 0 ? { [selectableFieldsKeyword]: fieldPaths } : {}
  let schema: VersionDefinition['schema'] | undefined
  return {
    name,
    served: version.served,
    storage: version.storage,
    get schema() {
      const typeName = `${group.split('.').reverse().join('.')}.${name}.${kind}`
      return (schema ??= modelSchema(
        rules.version(name).structure.schema,
        typeName,
        keywords,
        extras,
        rules.features.documents,
      ))
    },
    storedForm: formOf(version, versions),
    selectableFields,
    values: {
      prune: (sent, leftOut, countItems) => rules.version(name).structure.prune(sent, { leftOut, countItems }),
      fillDefaults: object => rules.version(name).structure.fillDefaults(object),
    },
    ...(deprecated ? { deprecated } : {}),
    columns: columnsOf(version.additionalPrinterColumns) as readonly Column<never>[],
    subresources: {
      ...(status ? { status: { kind: 'update', strategy: statusStrategy(rules, subject) as never } } : {}),
      ...(scale
        ? {
            scale: scaleAtPaths({ group, resource }, scale, {
              settle: (draft, before) => completeScaled(rules, subject, name, draft, before),
            }),
          }
        : {}),
    },
  }
}

/** The selectable fields of some versions, by the names that selectors use. */
function selectablesOf(versions: readonly DefinitionVersion[]): Record<string, (object: never) => string> {
  const fields = versions.flatMap(({ selectableFields = [] }) => selectableFields)
  return Object.fromEntries(fields.map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), textAt(jsonPath)]))
}

/**
 * The selectable fields that are indexed with stored objects. Where versions are not converted, those of all versions;
 * otherwise only those of the storage version.
 */
function storedSelectables({ versions, conversion }: CustomResourceDefinition['spec'], features: Features) {
  const stored = (versions ?? []).filter(({ storage }) => storage || conversion?.strategy !== 'Webhook')
  const selectableFields = selectablesOf(features.selectableFields ? stored : [])
  return Object.keys(selectableFields).length > 0 ? { selectableFields } : {}
}

function textAt(jsonPath: string): (object: never) => string {
  const steps = jsonPath.split('.').slice(1)
  return object => {
    let value: unknown = object
    for (const step of steps) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
    return value === undefined || value === null ? '' : String(value)
  }
}

/** Stored with every object; it changes with the schema and with the selectable fields. */
function formOf({ schema }: DefinitionVersion, versions: readonly DefinitionVersion[]): string {
  const fields = versions.flatMap(({ selectableFields = [] }) => selectableFields)
  return createHash('sha256')
    .update(JSON.stringify(fields.length > 0 ? [schema, fields] : (schema ?? null)))
    .digest('base64url')
    .slice(0, 12)
}

export const preferredFirst = <T extends { readonly name: string }>(versions: readonly T[]): T[] =>
  [...versions].sort((a, b) => compareApiVersions(a.name, b.name))

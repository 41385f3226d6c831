import { type Column, defineResource, nameColumn, type ServedLevel } from 'orch/sdk'
import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import { jsonSchemaType } from './json-schema.js'
import { readNestedSchemas } from './nested-schemas.js'
import { type CustomResourceDefinition, definitionSchema } from './schema.js'
import { deletion, mainStrategy, statusStrategy, type VersionsInUse } from './strategy.js'

const createdColumn: Column<CustomResourceDefinition> = {
  name: 'Created At',
  type: 'date',
  description: 'When the definition was created.',
  cell: ({ metadata }) => metadata.creationTimestamp ?? '',
}

/** Defaults that depend on other fields. Static ones are in the schema. */
export function fillDefaults({ spec, status }: CustomResourceDefinition): void {
  const { names } = spec
  if (names.kind !== '') {
    names.singular ||= names.kind.toLowerCase()
    names.listKind ||= `${names.kind}List`
  }
  spec.conversion ??= { strategy: 'None' }
  const { webhook } = spec.conversion
  // A webhook that says nothing is none.
  if (webhook && !webhook.clientConfig && !webhook.conversionReviewVersions) delete spec.conversion.webhook
  if (status.storedVersions?.length) return
  const storage = spec.versions?.find(version => version.storage)
  if (storage) status.storedVersions = [storage.name]
}

export const customResourceDefinitions = (
  names: CustomResourceNames,
  features: Features,
  level: ServedLevel,
  thread: ValidationThread,
  versionsInUse: VersionsInUse,
) => {
  const schemaType = jsonSchemaType(names.keywords)
  return defineResource({
    group: names.group,
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
    singular: 'customresourcedefinition',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    plainFinalizers: true,
    versions: [
      {
        name: 'v1',
        schema: definitionSchema(names.keywords),
        decoded: (definition: CustomResourceDefinition) => readNestedSchemas(definition, schemaType, level),
        defaults: fillDefaults,
      },
    ],
    strategy: mainStrategy(names, features, thread),
    deletion: deletion(names),
    subresources: { status: { kind: 'update', strategy: statusStrategy(features, versionsInUse) } },
    columns: [nameColumn, createdColumn as Column<never>],
  })
}

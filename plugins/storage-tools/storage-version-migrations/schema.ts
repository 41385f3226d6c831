import {
  Condition,
  embedded,
  field,
  KeyedList,
  Kind,
  type ObjectOf,
  required,
  type Static,
  Struct,
  Text,
  Time,
  type TSchema,
} from 'orch/sdk'

/** A request to migrate a type, in the version `of`. */
const migrationIn = <R extends TSchema, C extends TSchema, T extends TSchema>(
  of: string,
  parts: { resource: R; condition: C; continueToken: T },
) =>
  Kind(
    `storagemigration.${of}.StorageVersionMigration`,
    {
      spec: embedded(
        2,
        Struct(
          `storagemigration.${of}.StorageVersionMigrationSpec`,
          {
            resource: required(1, parts.resource, 'The type whose objects are migrated.'),
            continueToken: parts.continueToken,
          },
          { description: 'What is to be migrated. It cannot be changed.' },
        ),
        'What is to be migrated.',
      ),
      status: embedded(
        3,
        Struct(
          `storagemigration.${of}.StorageVersionMigrationStatus`,
          {
            conditions: field(
              1,
              KeyedList(parts.condition, 'type'),
              'Progress of the migration: Running, Succeeded or Failed.',
            ),
            resourceVersion: field(
              2,
              Text(),
              'Version of the collection when the migration began. Objects written since then need no migration.',
            ),
          },
          { description: 'Progress of the migration.' },
        ),
        'Observed state. Written by the migrator.',
      ),
    },
    { description: 'Stores all objects of a type in its current version.' },
  )
const interruptedAt = 'Where the migration was interrupted.'

/** Fields of the first version are stored as long as that version is served. */
const MigratedResource = Struct(
  'meta.v1.GroupResource',
  {
    group: required(1, Text(), 'API group; empty is the core group.'),
    resource: required(2, Text(), 'Plural name.'),
    version: field(3, Text(), { description: 'Version in which the objects are read.', until: '1.34' }),
  },
  { description: 'A collection of objects.' },
)
export const StorageVersionMigration = migrationIn('v1beta1', {
  resource: MigratedResource,
  condition: Condition,
  continueToken: field(2, Text(), { description: interruptedAt, until: '1.34' }),
})
export type StorageVersionMigration = ObjectOf<typeof StorageVersionMigration>

const MigrationCondition = Struct(
  'storagemigration.v1alpha1.MigrationCondition',
  {
    type: required(1, Text(), 'Running, Succeeded or Failed.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastUpdateTime: field(3, Time(), { description: 'When it was last written.', presence: 'always', nullable: true }),
    reason: field(4, Text(), 'Machine-readable reason in one word.'),
    message: field(5, Text(), 'Human-readable message.'),
  },
  { description: 'Progress of a migration.' },
)
export type MigrationCondition = Static<typeof MigrationCondition>

const VersionedResource = Struct(
  'storagemigration.v1alpha1.GroupVersionResource',
  {
    group: field(1, Text(), 'API group; empty is the core group.'),
    version: field(2, Text(), 'Version in which the objects are read.'),
    resource: field(3, Text(), 'Plural name.'),
  },
  { description: 'A collection of objects in one of its versions.' },
)
export const FirstMigration = migrationIn('v1alpha1', {
  resource: VersionedResource,
  condition: MigrationCondition,
  continueToken: field(2, Text(), interruptedAt),
})
export type FirstMigration = ObjectOf<typeof FirstMigration>

export const convertFirst = {
  toStorage({ spec, status, ...rest }: FirstMigration): StorageVersionMigration {
    const { group = '', resource = '', version } = spec.resource
    const conditions = status.conditions?.map(({ lastUpdateTime, reason = '', message = '', ...condition }) => ({
      ...condition,
      reason,
      message,
      lastTransitionTime: lastUpdateTime ?? '',
    }))
    return {
      ...rest,
      spec: { ...spec, resource: { group, resource, ...(version ? { version } : {}) } },
      status: { ...status, ...(conditions ? { conditions } : {}) },
    } as StorageVersionMigration
  },
  fromStorage({ spec, status, ...rest }: StorageVersionMigration): FirstMigration {
    const conditions = status.conditions?.map(({ lastTransitionTime, observedGeneration: _, ...condition }) => ({
      ...condition,
      ...(lastTransitionTime ? { lastUpdateTime: lastTransitionTime } : {}),
    }))
    return { ...rest, spec, status: { ...status, ...(conditions ? { conditions } : {}) } } as FirstMigration
  },
}

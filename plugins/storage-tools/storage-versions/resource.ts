import {
  ageColumn,
  type Column,
  defineResource,
  nameColumn,
  strategyForSpec,
  strategyForStatus,
  type Vendor,
} from 'orch/sdk'
import { serversAreNamedOnce } from '../differences.js'
import { StorageVersion } from './schema.js'
import { checkStorageVersionName, validateStorageVersionStatus } from './validation.js'

const columns: readonly Column<StorageVersion>[] = [
  nameColumn as Column<StorageVersion>,
  {
    name: 'CommonEncodingVersion',
    type: 'string',
    description: 'The version in which all servers store objects.',
    cell: ({ status }) => status.commonEncodingVersion ?? '<unset>',
  },
  {
    name: 'StorageVersions',
    type: 'string',
    description: 'The versions of each server.',
    cell: ({ status }) =>
      status.storageVersions === undefined || status.storageVersions.length === 0
        ? '<unset>'
        : status.storageVersions
            .map(({ apiServerID, encodingVersion }) => `${apiServerID}=${encodingVersion}`)
            .join(','),
  },
  ageColumn as Column<StorageVersion>,
]

const statusStrategy = strategyForStatus<StorageVersion>({
  unconditionalUpdate: false,
  resetFields: ['metadata'],
  validateUpdate: ({ status }, _stored, { vendor: { level } }) =>
    validateStorageVersionStatus(status, { namesServersOnce: level.has(serversAreNamedOnce) }),
  metadataChecks: { change: 0, object: 0 },
})

/** Alpha: for servers that share a store and are of different versions. Off unless --runtime-config turns it on. */
export const storageVersions = (vendor: Vendor) =>
  defineResource({
    group: `internal.apiserver.${vendor.profile.groupDomain}`,
    kind: 'StorageVersion',
    resource: 'storageversions',
    namespaced: false,
    versions: [{ name: 'v1alpha1', schema: StorageVersion }],
    since: '1.24',
    generation: false,
    strategy: strategyForSpec<StorageVersion>({
      newStatus: () => ({}),
      unconditionalUpdate: false,
      metadataChecks: { change: 0, object: 0 },
    }),
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    validateName: checkStorageVersionName,
    columns,
  })

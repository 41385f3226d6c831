import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { CSIDriver } from './schema.js'
import { mainStrategy } from './strategy.js'

const flag = (name: string, description: string, cell: (driver: CSIDriver) => boolean): Column<CSIDriver> => ({
  name,
  type: 'boolean',
  description,
  cell,
})

export const columns: readonly Column<CSIDriver>[] = [
  nameColumn as Column<CSIDriver>,
  flag(
    'AttachRequired',
    'Whether volumes are attached before they are mounted.',
    ({ spec }) => spec.attachRequired ?? true,
  ),
  flag(
    'PodInfoOnMount',
    'Whether the driver receives information about the Pod.',
    ({ spec }) => spec.podInfoOnMount ?? false,
  ),
  flag('StorageCapacity', 'Whether the driver reports its capacity.', ({ spec }) => spec.storageCapacity ?? false),
  {
    name: 'TokenRequests',
    type: 'string',
    description: 'Audiences of the tokens that the driver receives.',
    cell: ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  },
  flag(
    'RequiresRepublish',
    'Whether volumes are mounted again from time to time.',
    ({ spec }) => spec.requiresRepublish ?? false,
  ),
  {
    name: 'Modes',
    type: 'string',
    description: 'How long volumes of the driver live.',
    cell: ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<none>',
  },
  ageColumn as Column<CSIDriver>,
]

export const csiDrivers = ({ group }: StorageNames, tokensInSecrets: boolean) =>
  defineResource({
    group,
    kind: 'CSIDriver',
    resource: 'csidrivers',
    namespaced: false,
    versions: [{ name: 'v1', schema: CSIDriver }],
    generation: false,
    strategy: mainStrategy(tokensInSecrets),
    deletion: { answer: 'object' },
    columns,
  })

import {
  ageColumn,
  type Cell,
  type Column,
  defineResource,
  nameColumn,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import { isPathSegmentName } from 'orch/sdk/validation'
import type { AggregationNames } from '../names.js'
import { APIService, availableOf, localCondition } from './schema.js'
import { validateApiService, validateStatus } from './validation.js'

const mainStrategy = strategyForSpec<APIService>({
  newStatus: ({ spec }, { now }) => (spec.service ? {} : { conditions: [localCondition(now)] }),
  validate: validateApiService,
  validateUpdate: validateApiService,
  unconditionalUpdate: false,
})
const statusStrategy = strategyForStatus<APIService>({
  validateUpdate: validateStatus,
  unconditionalUpdate: false,
  resetFields: ['metadata'],
})

const column = (name: string, description: string, cell: (service: APIService) => Cell): Column<APIService> => ({
  name,
  type: 'string',
  description,
  cell,
})
const columns: readonly Column<APIService>[] = [
  nameColumn as Column<APIService>,
  column('Service', 'The Service of the extension server; Local for this server.', ({ spec: { service } }) =>
    service ? `${service.namespace}/${service.name}` : 'Local',
  ),
  column('Available', 'Whether the server answers.', service => {
    const { status = 'Unknown', reason = '' } = availableOf(service) ?? {}
    return status === 'True' || reason === '' ? status : `${status} (${reason})`
  }),
  ageColumn as Column<APIService>,
]

export const apiServices = ({ group }: AggregationNames) =>
  defineResource({
    group,
    kind: 'APIService',
    resource: 'apiservices',
    categories: ['api-extensions'],
    namespaced: false,
    generation: false,
    plainFinalizers: true,
    validateName: isPathSegmentName,
    versions: [
      {
        name: 'v1',
        schema: APIService,
        storage: true,
        defaults({ spec }: APIService) {
          if (spec.service) spec.service.port ??= 443
        },
      },
    ],
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns,
  })

import { defineResource, type Strategy } from 'orch/sdk'
import { Endpoints, warningsAboutIp } from 'orch/sdk/core'
import { addressesAreStrict } from '../differences.js'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { validateEndpoints } from './validation.js'

const addressWarnings = ({ subsets = [] }: Endpoints): string[] =>
  subsets.flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap(list =>
      (subset[list] ?? []).flatMap(({ ip }, j) => warningsAboutIp(`subsets[${i}].${list}[${j}].ip`, ip)),
    ),
  )

const mainStrategy = (areStrict: boolean) =>
  ({
    validate: sent => validateEndpoints(sent, areStrict),
    validateUpdate: sent => validateEndpoints(sent, areStrict),
    warnings: (sent, _stored, { vendor: { level } }) => (level.has(addressesAreStrict) ? addressWarnings(sent) : []),
    createOnUpdate: true,
  }) satisfies Strategy<Endpoints>

/** `areStrict`: addresses must be canonical. */
export const endpoints = ({ discoveryGroup }: NetworkingNames, areStrict = false) =>
  defineResource({
    group: '',
    kind: 'Endpoints',
    resource: 'endpoints',
    shortNames: ['ep'],
    namespaced: true,
    versions: [
      {
        name: 'v1',
        schema: Endpoints,
        deprecated: { since: '1.33', replacement: `${discoveryGroup}/v1 EndpointSlice` },
      },
    ],
    strategy: mainStrategy(areStrict),
    columns,
  })

import { defineResource, strategyForSpec, strategyForStatus } from 'orch/sdk'
import { warningsAboutIp } from 'orch/sdk/core'
import { addressesAreStrict } from '../differences.js'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { fromV1, toV1 } from './convert-v1beta1.js'
import { Ingress } from './schema.js'
import { Ingress as FormerIngress } from './schema-v1beta1.js'
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './validation.js'

/** Clients write metadata and spec; the controller writes the status. */
const mainStrategy = (names: NetworkingNames) =>
  strategyForSpec<Ingress>({
    newStatus: () => ({ loadBalancer: {} }),
    validate: ingress => validateIngress(ingress, names),
    validateUpdate: (ingress, stored) => validateIngressUpdate(ingress, stored, names),
    warnings: ({ metadata, spec }, stored) =>
      names.warnsAboutClassAnnotation &&
      stored === undefined &&
      metadata?.annotations?.[names.classAnnotation] !== undefined &&
      spec?.ingressClassName === undefined
        ? [
            `annotation ${JSON.stringify(names.classAnnotation)} is deprecated, please use 'spec.ingressClassName' instead`,
          ]
        : [],
  })

const statusStrategy = (areStrict: boolean) =>
  strategyForStatus<Ingress>({
    validateUpdate: (sent, stored) => validateIngressStatus(sent, stored, areStrict),
    warnings: ({ status }, _stored, { vendor: { level } }) =>
      level.has(addressesAreStrict)
        ? (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, i) =>
            warningsAboutIp(`status.loadBalancer.ingress[${i}]`, ip),
          )
        : [],
  })

/** `areStrict`: addresses of load balancers must be canonical. */
export const ingresses = (names: NetworkingNames, areStrict = false) =>
  defineResource({
    group: names.group,
    ...names.formerGroup,
    kind: 'Ingress',
    resource: 'ingresses',
    shortNames: ['ing'],
    namespaced: true,
    versions: [
      { name: 'v1', schema: Ingress, storage: true },
      // Removed before the oldest served version, but its unknown fields are still reported to clients that send it.
      { name: 'v1beta1', schema: FormerIngress, served: 'never', toStorage: toV1, fromStorage: fromV1 },
    ],
    strategy: mainStrategy(names),
    subresources: { status: { kind: 'update', strategy: statusStrategy(areStrict) } },
    columns,
  })

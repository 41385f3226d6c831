import { defineResource, nameIsPathSegment } from 'orch/sdk'
import type { CertificateNames } from '../names.js'
import { approvalStrategy } from './approval-strategy.js'
import { columns } from './columns.js'
import { CertificateSigningRequest } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const certificateSigningRequests = (names: CertificateNames) =>
  defineResource({
    group: names.group,
    kind: 'CertificateSigningRequest',
    resource: names.requests.resource,
    shortNames: ['csr'],
    namespaced: false,
    versions: [{ name: 'v1', schema: CertificateSigningRequest }],
    generation: false,
    strategy: mainStrategy(names),
    subresources: {
      approval: { kind: 'update', strategy: approvalStrategy },
      status: { kind: 'update', strategy: statusStrategy },
    },
    selectableFields: { 'spec.signerName': ({ spec }: CertificateSigningRequest) => spec.signerName },
    columns,
    validateName: nameIsPathSegment,
  })

import { ageColumn, type Column, humanDuration, nameColumn } from 'orch/sdk'
import { approved, denied, failed, hasCondition, isIssued } from './request-state.js'
import type { CertificateSigningRequest } from './schema.js'

export const columns: readonly Column<CertificateSigningRequest>[] = [
  nameColumn as Column<CertificateSigningRequest>,
  ageColumn as Column<CertificateSigningRequest>,
  {
    name: 'SignerName',
    type: 'string',
    description: 'The requested signer.',
    cell: ({ spec }) => spec.signerName || '<none>',
  },
  { name: 'Requestor', type: 'string', description: 'The requester.', cell: ({ spec }) => spec.username ?? '' },
  {
    name: 'RequestedDuration',
    type: 'string',
    description: 'The requested lifetime.',
    cell: ({ spec: { expirationSeconds } }) =>
      expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000),
  },
  {
    name: 'Condition',
    type: 'string',
    description: 'Whether the request is pending, approved or denied, and whether it was issued or failed.',
    cell: request =>
      [
        hasCondition(request, denied) ? 'Denied' : hasCondition(request, approved) ? 'Approved' : 'Pending',
        ...(hasCondition(request, failed) ? ['Failed'] : []),
        ...(isIssued(request) ? ['Issued'] : []),
      ].join(','),
  },
]

import { type Column, defineResource, nameColumn, strategyForSpec, strategyForStatus } from 'orch/sdk'
import { domainOfSigner, isSignerOf } from 'orch/sdk/validation'
import type { CertificateNames } from '../names.js'
import { convertFirst, FirstPodCertificateRequest, PodCertificateRequest } from './schema.js'
import { validateOutcome, validateRequest, validateRequestUpdate } from './validation.js'

const mainStrategy = ({ clientSigner }: CertificateNames) =>
  strategyForSpec<PodCertificateRequest>({
    newStatus: () => ({}),
    unconditionalUpdate: false,
    validate: request => validateRequest(request, name => isSignerOf(domainOfSigner(clientSigner), name)),
    validateUpdate: validateRequestUpdate,
  })

const statusStrategy = strategyForStatus<PodCertificateRequest>({
  unconditionalUpdate: false,
  validateUpdate: (sent, stored, { now }) => validateOutcome(sent, stored, now),
})

const text = (
  name: string,
  description: string,
  cell: (request: PodCertificateRequest) => string,
): Column<PodCertificateRequest> => ({ name, type: 'string', description, cell })

const columns: readonly Column<PodCertificateRequest>[] = [
  nameColumn as Column<PodCertificateRequest>,
  text('PodName', 'The Pod that gets the certificate.', ({ spec }) => spec.podName),
  text('ServiceAccountName', 'Service account of the Pod.', ({ spec }) => spec.serviceAccountName),
  text('NodeName', 'The node that the Pod runs on.', ({ spec }) => spec.nodeName),
  text('SignerName', 'The requested signer.', ({ spec }) => spec.signerName),
  text('State', 'Pending, Issued, Denied or Failed.', ({ status }) => status.conditions?.[0]?.type ?? 'Pending'),
]

/** Off by default in every version: --runtime-config turns it on. */
export const podCertificateRequests = (names: CertificateNames) =>
  defineResource({
    group: names.group,
    kind: 'PodCertificateRequest',
    resource: names.podRequests.resource,
    namespaced: true,
    versions: [
      { name: 'v1beta1', since: '1.35', schema: PodCertificateRequest, storage: true, served: false },
      { name: 'v1alpha1', since: '1.34', until: '1.34', schema: FirstPodCertificateRequest, ...convertFirst },
    ],
    since: '1.34',
    generation: false,
    strategy: mainStrategy(names),
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    selectableFields: {
      'spec.signerName': ({ spec }: PodCertificateRequest) => spec.signerName,
      'spec.podName': ({ spec }: PodCertificateRequest) => spec.podName,
      'spec.nodeName': ({ spec }: PodCertificateRequest) => spec.nodeName,
    },
    columns,
  })

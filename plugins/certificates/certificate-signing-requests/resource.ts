import {
  defineResource,
  type FieldError,
  forbiddenField,
  invalidValue,
  type Strategy,
  strategyForStatus,
} from 'orch/sdk'
import { nameIsPathSegment } from 'orch/sdk/validation'
import type { CertificateNames } from '../names.js'
import { parseCertificates } from '../signing/issued-certificates.js'
import { columns } from './columns.js'
import { checkNoneAdded, checkNoneRemoved, validateConditions } from './condition-rules.js'
import { fillConditionTimes } from './condition-times.js'
import { approved, conditionsOf, denied, failed, hasCondition, isApproved, isIssued } from './request-state.js'
import { CertificateSigningRequest } from './schema.js'
import { validateRequest } from './validation.js'

const field = 'status.certificate'

/** The certificate must consist of PEM certificates only. */
function validateCertificate({ status }: CertificateSigningRequest): FieldError[] {
  if (!status?.certificate) return []
  try {
    parseCertificates(Buffer.from(status.certificate, 'base64'))
    return []
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return [invalidValue(field, '<certificate data>', problem)]
  }
}

/** An issued certificate is immutable. */
const checkUnchanged = (sent: CertificateSigningRequest, stored: CertificateSigningRequest): FieldError[] =>
  isIssued(stored) && sent.status?.certificate !== stored.status?.certificate
    ? [forbiddenField(field, 'updates may not modify existing certificate content')]
    : []

/** Only an approved request that has not failed may have a certificate. */
function checkMayBeIssued(sent: CertificateSigningRequest): FieldError[] {
  if (!isIssued(sent)) return []
  if (hasCondition(sent, failed)) return [forbiddenField(field, 'must stay empty when the request failed')]
  return isApproved(sent) ? [] : [forbiddenField(field, 'may only be set when the request is approved')]
}

/** Decisions that the signer must not change. */
const approvals = [approved, denied]

/** Signers write the certificate, the condition Failed, and conditions of their own. */
export const statusStrategy = strategyForStatus<CertificateSigningRequest>({
  prepareForUpdate(draft, stored, { now }) {
    for (const type of approvals) keepAsStored(draft, stored, type)
    fillConditionTimes(draft, stored, now)
  },
  validateUpdate(sent, stored, { vendor }) {
    const errors = [
      ...validateConditions(conditionsOf(sent), vendor),
      ...validateCertificate(sent),
      ...checkNoneRemoved(sent, stored),
      ...checkNoneAdded(sent, stored, approvals),
      ...checkUnchanged(sent, stored),
    ]
    // The state is validated last: it means little while the parts are invalid.
    return errors.length > 0 ? errors : checkMayBeIssued(sent)
  },
  resetFields: ['status.conditions'],
  metadataChecks: { change: 1, object: 1 },
})

/** Puts the stored condition where the sent one is, so that a signer cannot rewrite an approval. */
function keepAsStored(draft: CertificateSigningRequest, stored: CertificateSigningRequest, type: string): void {
  const before = conditionsOf(stored).find(condition => condition.type === type)
  if (!before || !draft.status?.conditions) return
  draft.status.conditions = draft.status.conditions.map(condition => (condition.type === type ? before : condition))
}

const checkName = ({ metadata: { name = '', generateName } }: CertificateSigningRequest): FieldError[] => [
  ...(generateName
    ? nameIsPathSegment(generateName, true).map(why => invalidValue('metadata.generateName', generateName, why))
    : []),
  ...nameIsPathSegment(name, false).map(why => invalidValue('metadata.name', name, why)),
]

/** Clients set the request once; the requester is the authenticated user. Later, only metadata changes here. */
export const mainStrategy = (names: CertificateNames) =>
  ({
    prepareForCreate(draft, { user }) {
      const { request, signerName, expirationSeconds, usages } = draft.spec
      draft.spec = {
        request,
        signerName,
        ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
        ...(usages === undefined ? {} : { usages }),
        username: user.name,
        ...(user.uid === undefined ? {} : { uid: user.uid }),
        groups: [...user.groups],
        ...(user.extra === undefined ? {} : { extra: copyOf(user.extra) }),
      }
      draft.status = {}
    },
    prepareForUpdate(draft, stored) {
      draft.spec = stored.spec
      draft.status = stored.status
    },
    async validate(request) {
      const errors = await validateRequest(request, names)
      // Any name that can be part of a path is valid; as in Kubernetes, it is reported only if nothing else is wrong.
      return errors.length > 0 ? errors : checkName(request)
    },
    validateUpdate: () => [],
    resetFields: ['spec', 'status'],
  }) satisfies Strategy<CertificateSigningRequest>

const copyOf = (extra: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]))

/** Approvers write conditions: Approved, Denied, Failed, and others of their own, but no certificates. */
export const approvalStrategy = strategyForStatus<CertificateSigningRequest>({
  prepareForUpdate(draft, stored, { now }) {
    const { certificate: _, ...status } = draft.status ?? {}
    const certificate = stored.status?.certificate
    draft.status = { ...status, ...(certificate === undefined ? {} : { certificate }) }
    fillConditionTimes(draft, stored, now)
  },
  validateUpdate(sent, stored, { vendor }) {
    const errors = [...validateConditions(conditionsOf(sent), vendor), ...checkNoneRemoved(sent, stored)]
    // An issued request cannot be marked as failed.
    return errors.length > 0 ? errors : checkMayBeIssued(sent)
  },
  resetFields: ['status.certificate'],
  metadataChecks: { change: 1, object: 1 },
})

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
    validateName: () => [],
  })

import { type AdmissionRequest, defineAdmission, type Rejection, type Resolved, reject, services } from 'orch/sdk'
import { quotaLedger } from '../charging/quota-ledger.js'
import type { Evaluator } from '../counting/evaluator.js'
import type { Evaluators } from '../counting/evaluators.js'
import type { QuotaNames } from '../names.js'

const needs = {
  ledger: quotaLedger,
  resources: services.resources,
  reader: services.reader,
  clock: services.clock,
} as const

/** Rejects requests that would exceed a quota of their namespace. */
export const resourceQuota = ({ uncounted }: QuotaNames, evaluators: Evaluators) =>
  defineAdmission()({
    name: 'ResourceQuota',
    stage: 'accounting',
    phase: 'validate',
    sideEffects: 'noneOnDryRun', // it charges what it admits
    matches: [
      { operations: ['create', 'update'] },
      { group: '', resource: 'pods', subresource: 'resize', operations: ['update'] },
    ],
    needs,
    review(request, given) {
      const { namespace, group, resource, operation } = request
      if (namespace === '' || uncounted.some(one => one.group === group && one.resource === resource)) return
      const evaluator = evaluators.of({ group, resource })
      const isCharged = evaluator.isCharged ? evaluator.isCharged(request) : operation === 'create'
      // Objects that are not stored use nothing.
      if (!isCharged || given.resources.find(group, resource)?.virtual) return
      const isNeeded = given.ledger.isNeeded(namespace)
      if (isNeeded === false) return
      return chargeFor(request, evaluator, isNeeded, given)
    },
  })

async function chargeFor(
  { namespace, group, resource, operation, name, object, oldObject, dryRun }: AdmissionRequest,
  evaluator: Evaluator,
  isNeeded: boolean | Promise<boolean>,
  { ledger, reader, clock }: Resolved<typeof needs>,
): Promise<Rejection | undefined> {
  if (!(await isNeeded)) return undefined
  // The create request will fail if the name is taken, and its charge would be released only much later.
  const isTaken = operation === 'create' && name !== '' && (await reader.get({ group, resource }, namespace, name))
  const charge = { evaluator, object, stored: oldObject, now: clock.now() }
  const refusal = await ledger.charge(namespace, charge, dryRun || Boolean(isTaken))
  return refusal === undefined ? undefined : reject(refusal)
}

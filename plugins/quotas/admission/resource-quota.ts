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

/** A namespace uses no more than its quotas allow. */
export const resourceQuota = ({ uncounted }: QuotaNames, evaluators: Evaluators) =>
  defineAdmission()({
    name: 'ResourceQuota',
    stage: 'accounting',
    phase: 'validate',
    sideEffects: 'noneOnDryRun', // it charges what it lets through
    matches: { operations: ['create', 'update'] },
    needs,
    review(request, given) {
      const { namespace, group, resource, operation } = request
      if (namespace === '' || uncounted.some(one => one.group === group && one.resource === resource)) return
      const evaluator = evaluators.of({ group, resource })
      // What is not stored uses nothing.
      if (!evaluator.operations.includes(operation) || given.resources.find(group, resource)?.virtual) return
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
  // A name that is taken will be rejected eventually, and its charge would only be released much later.
  const isTaken = operation === 'create' && name !== '' && (await reader.get({ group, resource }, namespace, name))
  const charge = { evaluator, object, stored: oldObject, now: clock.now() }
  const refusal = await ledger.charge(namespace, charge, dryRun || Boolean(isTaken))
  return refusal === undefined ? undefined : reject(refusal)
}

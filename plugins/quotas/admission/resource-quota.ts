import { defineAdmission, reject, services } from 'orch/sdk'
import { quotaLedger } from '../charging/quota-ledger.js'
import type { Evaluators } from '../counting/evaluators.js'
import type { QuotaNames } from '../names.js'

/** A namespace uses no more than its quotas allow. */
export const resourceQuota = ({ uncounted }: QuotaNames, evaluators: Evaluators) =>
  defineAdmission()({
    name: 'ResourceQuota',
    phase: 'validate',
    sideEffects: 'some', // charges what it lets through, except on a dry run
    matches: { operations: ['create', 'update'] },
    needs: {
      ledger: quotaLedger,
      resources: services.resources,
      reader: services.reader,
      clock: services.clock,
    },
    async review(request, { ledger, resources, reader, clock }) {
      const { namespace, group, resource, operation, name, object, oldObject } = request
      if (namespace === '' || uncounted.some(one => one.group === group && one.resource === resource)) return
      const evaluator = evaluators.of({ group, resource })
      // What is not stored uses nothing.
      if (!evaluator.operations.includes(operation) || resources.find(group, resource)?.virtual) return
      if (!(await ledger.isNeeded(namespace))) return
      // A name that is taken will be refused in the end, and what was charged for it could be given back only much later.
      const isTaken = operation === 'create' && name !== '' && (await reader.get({ group, resource }, namespace, name))
      const charge = { evaluator, object, stored: oldObject, now: clock.now() }
      const refusal = await ledger.charge(namespace, charge, request.dryRun || Boolean(isTaken))
      return refusal === undefined ? undefined : reject(refusal)
    },
  })

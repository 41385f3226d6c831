import { definePlugin } from 'orch/sdk'
import { limitRanger } from './admission/limit-ranger.js'
import { resourceQuota } from './admission/resource-quota.js'
import { ledgerService } from './charging/ledger-service.js'
import { quotaController } from './control/quota-controller.js'
import { Evaluators } from './counting/evaluators.js'
import { differences } from './differences.js'
import { limitRanges } from './limit-ranges/resource.js'
import { quotaNames } from './names.js'
import { QuotaOptions } from './options.js'
import { resourceQuotas } from './resource-quotas/resource.js'

export { conformance } from './conformance.js'

export const quotas = definePlugin({
  name: 'quotas',
  differences,
  requires: ['namespaces'],
  options: QuotaOptions,
  register(to, { vendor, options }) {
    const names = quotaNames(vendor)
    const evaluators = new Evaluators(names)
    to.resource(limitRanges, resourceQuotas(vendor.level))
    to.admission(limitRanger(names, options), resourceQuota(names, evaluators))
    to.controller(quotaController(evaluators, names))
    to.service(ledgerService(names))
  },
})

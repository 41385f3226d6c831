import { defineService, services } from 'orch/sdk'
import type { QuotaNames } from '../names.js'
import { limitedResources } from './limited-resources.js'
import { QuotaLedger, quotaLedger } from './quota-ledger.js'

/** The ledger, with the limited resources from the configuration of the admission control. */
export const ledgerService = (names: QuotaNames) =>
  defineService({
    token: quotaLedger,
    needs: {
      caches: services.caches,
      reader: services.reader,
      client: services.client,
      configuration: services.admissionConfiguration,
    },
    create: ({ configuration, ...parts }) =>
      new QuotaLedger({ ...parts, limited: limitedResources(configuration, names) }),
  })

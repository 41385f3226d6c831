import { type ServiceDefinition, services } from 'orch/sdk'
import type { QuotaNames } from '../names.js'
import { limitedResources } from './limited-resources.js'
import { QuotaLedger, quotaLedger } from './quota-ledger.js'

const needs = {
  caches: services.caches,
  reader: services.reader,
  client: services.client,
  configuration: services.admissionConfiguration,
} as const

/** The ledger, with what the configuration of the control limits. */
export const ledgerService = (names: QuotaNames): ServiceDefinition<QuotaLedger, typeof needs> => ({
  token: quotaLedger,
  needs,
  create: ({ configuration, ...parts }) =>
    new QuotaLedger({ ...parts, limited: limitedResources(configuration, names) }),
})

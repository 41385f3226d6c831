import { strategyForStatus } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'
import { validateStatus } from './validation.js'

export const statusStrategy = strategyForStatus<Namespace>({
  validateUpdate: validateStatus,
})

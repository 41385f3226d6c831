import type { Strategy } from 'orch/sdk'
import type { ConfigMap } from './schema.js'
import { validateConfigMap, validateConfigMapUpdate } from './validation.js'

export const mainStrategy = {
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
} satisfies Strategy<ConfigMap>

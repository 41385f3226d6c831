import type { Strategy } from 'orch/sdk'
import type { ConfigurationNames } from '../names.js'
import type { Secret } from './schema.js'
import { typeRules } from './type-rules.js'
import { validateSecret, validateSecretUpdate } from './validation.js'

export function mainStrategy(names: ConfigurationNames) {
  const rules = typeRules(names)
  return {
    validate: secret => validateSecret(secret, rules),
    validateUpdate: (sent, stored) => validateSecretUpdate(sent, stored, rules),
  } satisfies Strategy<Secret>
}

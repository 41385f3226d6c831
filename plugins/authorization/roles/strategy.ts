import type { Strategy } from 'orch/sdk'
import { validateRules } from '../rules/validation.js'
import type { Role } from './schema.js'

const validate = ({ rules }: Role) => validateRules(rules, true)

export const mainStrategy = { validate, validateUpdate: validate, createOnUpdate: true } satisfies Strategy<Role>

import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import { oppositesAtList } from '../differences.js'
import { approved, conditionsOf, decisions, denied } from './request-state.js'
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from './schema.js'

const field = 'status.conditions'
const anyStatus = ['False', 'True', 'Unknown']
const onlyTrue = ['True']
const opposites = new Map([
  [approved, denied],
  [denied, approved],
])

/** Validates each condition, by itself and together with the others. */
export function validateConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  { level }: Pick<Vendor, 'level'>,
): FieldError[] {
  const before = new Set<string>()
  return conditions.flatMap((condition, index) => {
    const path = `${field}[${index}]`
    const opposite = opposites.get(condition.type)
    const errors = [
      ...(condition.type === '' ? [requiredValue(`${path}.type`)] : []),
      ...checkStatus(condition, `${path}.status`),
      ...(opposite !== undefined && before.has(opposite)
        ? [
            invalidValue(
              level.has(oppositesAtList) ? field : `${path}.type`,
              condition.type,
              'Approved and Denied conditions are mutually exclusive',
            ),
          ]
        : []),
      ...(before.has(condition.type) ? [duplicate(`${path}.type`, condition.type)] : []),
    ]
    before.add(condition.type)
    return errors
  })
}

function checkStatus({ type, status }: CertificateSigningRequestCondition, path: string): FieldError[] {
  if (status === '') return [requiredValue(path)]
  const allowed = decisions.includes(type) ? onlyTrue : anyStatus
  return allowed.includes(status) ? [] : [notSupported(path, status, allowed)]
}

/** Decisions cannot be removed. */
export const checkNoneRemoved = (sent: CertificateSigningRequest, stored: CertificateSigningRequest): FieldError[] =>
  decisions
    .filter(type => count(sent, type) < count(stored, type))
    .map(type => forbiddenField(field, `updates may not remove a condition of type "${type}"`))

/** Each subresource may add only its own decisions. */
export const checkNoneAdded = (
  sent: CertificateSigningRequest,
  stored: CertificateSigningRequest,
  types: readonly string[],
): FieldError[] =>
  types
    .filter(type => count(sent, type) > count(stored, type))
    .map(type => forbiddenField(field, `updates may not add a condition of type "${type}" through this path`))

const count = (request: CertificateSigningRequest, type: string) =>
  conditionsOf(request).filter(condition => condition.type === type).length

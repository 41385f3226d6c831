import { type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import type { HTTPIngressPath, HTTPIngressRuleValue } from './schema.js'
import { validateBackend } from './validate-backend.js'

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'] as const
/** What makes one path look like another. */
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'] as const
const forbiddenEnds = ['/..', '/.'] as const

export const validateHttpRule = ({ paths }: HTTPIngressRuleValue, field: string): FieldError[] =>
  (paths ?? []).length === 0
    ? [requiredValue(`${field}.paths`)]
    : paths.flatMap((path, i) => validatePath(path, `${field}.paths[${i}]`))

function validatePath({ path = '', pathType, backend }: HTTPIngressPath, field: string): FieldError[] {
  if (pathType === undefined || pathType === null)
    return [requiredValue(`${field}.pathType`, 'pathType must be specified')]
  return [...checkPath(path, pathType, field), ...validateBackend(backend, `${field}.backend`)]
}

function checkPath(path: string, pathType: string, field: string): FieldError[] {
  const broken = (detail: string) => invalidValue(`${field}.path`, path, detail)
  const absolute = path.startsWith('/') ? [] : [broken('must be an absolute path')]
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      return [
        ...absolute,
        ...forbiddenSequences
          .filter(sequence => path.includes(sequence))
          .map(sequence => broken(`must not contain '${sequence}'`)),
        ...forbiddenEnds.filter(end => path.endsWith(end)).map(end => broken(`cannot end with '${end}'`)),
      ]
    case 'ImplementationSpecific':
      return path === '' ? [] : absolute
    default:
      return [notSupported(`${field}.pathType`, pathType, pathTypes)]
  }
}

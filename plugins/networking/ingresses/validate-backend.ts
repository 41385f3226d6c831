import {
  addAll,
  type FieldError,
  invalidValue,
  isDns1035Label,
  isValidPortName,
  isValidPortNumber,
  requiredValue,
} from 'orch/sdk'
import { validateReference } from '../object-reference-rules.js'
import type { IngressBackend, IngressServiceBackend } from './schema.js'

/** Where traffic goes: a port of a Service, or another object. */
export function validateBackend({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (service && resource) return [invalidValue(field, '', 'cannot set both resource and service backends')]
  if (resource) return validateReference(resource, `${field}.resource`)
  return service
    ? validateService(service, field)
    : [invalidValue(field, '', 'resource or service backend is required')]
}

function validateService({ name, port = {} }: IngressServiceBackend, field: string): FieldError[] {
  const { name: portName = '', number = 0 } = port
  const at = `${field}.service.name`
  const errors = name === '' ? [requiredValue(at)] : isDns1035Label(name).map(text => invalidValue(at, name, text))
  if (portName !== '' && number !== 0) errors.push(invalidValue(field, '', 'cannot set both port name & port number'))
  else if (portName !== '')
    addAll(
      errors,
      isValidPortName(portName).map(text => invalidValue(`${field}.service.port.name`, portName, text)),
    )
  else if (number !== 0)
    addAll(
      errors,
      isValidPortNumber(number).map(text => invalidValue(`${field}.service.port.number`, number, text)),
    )
  else errors.push(requiredValue(field, 'port name or number is required'))
  return errors
}

import { isAbsolute } from 'node:path'
import { type FieldError, invalidValue, isolationGrades, notSupported, requiredValue } from 'orch/sdk'
import type { Plugin } from './schema.js'

const hash = /^(sha256-[A-Za-z0-9+/]{43}=|sha512-[A-Za-z0-9+/]{86}==)$/

const signatureForm = /^[A-Za-z0-9+/]{86}==$/

/** Checks that do not need the plugin folder; the status reports the rest. */
export function validatePlugin({ spec = { package: '' } }: Plugin): FieldError[] {
  const { package: name, integrity = '', signature = '', options, isolation = '' } = spec
  const errors: FieldError[] = []
  if (name === '') errors.push(requiredValue('spec.package', 'a folder or a file in the plugin folder of the server'))
  else if (isAbsolute(name) || name.split(/[\\/]/).includes('..') || name.includes('\0'))
    errors.push(invalidValue('spec.package', name, 'must be a path inside the plugin folder of the server, without ..'))
  if (integrity !== '' && !hash.test(integrity))
    errors.push(invalidValue('spec.integrity', integrity, 'must be sha256- or sha512-, followed by the hash in base64'))
  if (signature !== '' && !signatureForm.test(signature))
    errors.push(invalidValue('spec.signature', signature, 'must be an Ed25519 signature in base64: 64 bytes'))
  if (options !== undefined && (typeof options !== 'object' || options === null || Array.isArray(options)))
    errors.push(invalidValue('spec.options', options, 'must be an object: options by name'))
  if (isolation !== '' && !isolationGrades.some(each => each === isolation))
    errors.push(notSupported('spec.isolation', isolation, isolationGrades))
  return errors
}

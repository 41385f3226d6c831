import { addAll, type FieldError, invalidValue, requiredValue } from '../../resource/field-errors.js'
import {
  isConfigMapKey,
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isRelaxedEnvVarName,
} from '../../validation/object-names.js'
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector } from '../environment.js'
import { requireFields } from '../validation/field-rules.js'
import { checkNoBacksteps } from '../validation/volume-paths.js'
import { type HostAddressRules, validateResourceFieldSelector, validateVariableField } from './downward-fields.js'

const tooMany = 'may not have more than one field specified at a time'

/** Rules of variables that depend on the version and on what is stored. */
export interface VariableRules extends HostAddressRules {
  /** Whether names may have nearly every character. */
  readonly takesAnyVariableName: boolean
}
const isName = (name: string, { takesAnyVariableName }: VariableRules): string[] =>
  takesAnyVariableName ? isRelaxedEnvVarName(name) : isEnvVarName(name)

/** The environment variables of a container. */
export const validateEnvironment = (
  variables: readonly EnvVar[] = [],
  field: string,
  rules: VariableRules,
): FieldError[] =>
  variables.flatMap(({ name, value = '', valueFrom }, i) => {
    const at = `${field}[${i}]`
    const wrong =
      name === ''
        ? [requiredValue(`${at}.name`)]
        : isName(name, rules).map(text => invalidValue(`${at}.name`, name, text))
    return valueFrom ? [...wrong, ...validateValueFrom(valueFrom, value, `${at}.valueFrom`, rules)] : wrong
  })

function validateValueFrom(source: EnvVarSource, value: string, field: string, rules: VariableRules): FieldError[] {
  const errors: FieldError[] = []
  if (source.fieldRef) addAll(errors, validateVariableField(source.fieldRef, `${field}.fieldRef`, rules))
  if (source.resourceFieldRef)
    addAll(errors, validateResourceFieldSelector(source.resourceFieldRef, `${field}.resourceFieldRef`, false))
  if (source.configMapKeyRef) addAll(errors, validateKeySelector(source.configMapKeyRef, `${field}.configMapKeyRef`))
  if (source.secretKeyRef) addAll(errors, validateKeySelector(source.secretKeyRef, `${field}.secretKeyRef`))
  if (source.fileKeyRef) addAll(errors, validateFileKey(source.fileKeyRef, `${field}.fileKeyRef`))
  const count = Object.values(source).filter(one => one !== undefined).length
  if (count === 0)
    errors.push(
      invalidValue(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    )
  else if (value !== '') errors.push(invalidValue(field, '', 'may not be specified when `value` is not empty'))
  else if (count > 1) errors.push(invalidValue(field, '', tooMany))
  return errors
}

function validateFileKey(selector: FileKeySelector, field: string): FieldError[] {
  const { key, volumeName, path } = selector
  const badKey = key === '' ? [] : isRelaxedEnvVarName(key).map(text => invalidValue(`${field}.key`, key, text))
  const badVolume =
    volumeName === ''
      ? []
      : isDns1123Label(volumeName).map(text => invalidValue(`${field}.volumeName`, volumeName, text))
  return [
    ...requireFields(selector, field, 'key'),
    ...badKey,
    ...requireFields(selector, field, 'volumeName'),
    ...badVolume,
    ...(path === '' ? requireFields(selector, field, 'path') : checkNoBacksteps(path, `${field}.path`)),
  ]
}

function validateKeySelector(selector: { name?: string; key: string }, field: string): FieldError[] {
  const { name = '' } = selector
  return [
    ...isDns1123Subdomain(name).map(text => invalidValue(`${field}.name`, name, text)),
    ...requireFields(selector, field, 'key'),
    ...(selector.key === '' ? [] : isConfigMapKey(selector.key)).map(text =>
      invalidValue(`${field}.key`, selector.key, text),
    ),
  ]
}

/** The name may end in a dash, as one that is still to be completed. */
function validateReference({ name = '' }: { name?: string }, field: string): FieldError[] {
  if (name === '') return [requiredValue(`${field}.name`)]
  const completed = name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
  return isDns1123Subdomain(completed).map(text => invalidValue(`${field}.name`, name, text))
}

/** Whole ConfigMaps and Secrets turned into variables. Errors about the choice name the list, as in Kubernetes. */
export const validateEnvironmentSources = (
  sources: readonly EnvFromSource[] = [],
  field: string,
  rules: VariableRules,
): FieldError[] =>
  sources.flatMap(({ prefix = '', configMapRef, secretRef }, i) => {
    const at = `${field}[${i}]`
    const errors = (prefix === '' ? [] : isName(prefix, rules)).map(text => invalidValue(`${at}.prefix`, prefix, text))
    if (configMapRef) addAll(errors, validateReference(configMapRef, `${at}.configMapRef`))
    if (secretRef) addAll(errors, validateReference(secretRef, `${at}.secretRef`))
    if (!configMapRef && !secretRef)
      errors.push(invalidValue(field, '', 'must specify one of: `configMapRef` or `secretRef`'))
    if (configMapRef && secretRef) errors.push(invalidValue(field, '', tooMany))
    return errors
  })

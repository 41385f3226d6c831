import { addAll, type FieldError, forbiddenField, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { validateWebhookClientConfig } from 'orch/sdk/admission'
import { isDns1035Label } from 'orch/sdk/validation'
import { isValidBundle } from './ca-bundle.js'
import type { DefinitionContext } from './definition-context.js'
import type { ColumnDefinition, CustomResourceDefinition, DefinitionVersion, JsonSchema } from './schema.js'

const columnTypes = ['integer', 'number', 'string', 'boolean', 'date']
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']
/** Versions of ConversionReview that this server supports. */
export const reviewVersions = ['v1', 'v1beta1']

const isSimplePath = (path: string) => path.startsWith('.')

export function validateColumn({ name, type, format = '', jsonPath }: ColumnDefinition, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (name === '') errors.push(requiredValue(`${path}.name`))
  if (type === '') errors.push(requiredValue(`${path}.type`, `must be one of ${columnTypes.join(',')}`))
  else if (!columnTypes.includes(type))
    errors.push(invalidValue(`${path}.type`, type, `must be one of ${columnTypes.join(',')}`))
  if (format !== '' && !columnFormats.includes(format))
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`))
  if (jsonPath === '') errors.push(requiredValue(`${path}.JSONPath`))
  else if (!isSimplePath(jsonPath))
    errors.push(invalidValue(`${path}.JSONPath`, jsonPath, 'must be a simple JSON path that begins with .'))
  return errors
}

export function validateSubresources(subresources: DefinitionVersion['subresources'], path: string): FieldError[] {
  const scale = subresources?.scale
  if (!scale) return []
  const errors: FieldError[] = []
  const check = (field: keyof typeof scale, below: readonly string[], isRequired = true) => {
    const value = scale[field] ?? ''
    const at = `${path}.scale.${field}`
    if (value === '') {
      if (isRequired) errors.push(requiredValue(at))
    } else if (!below.some(start => value.startsWith(`.${start}.`))) {
      errors.push(invalidValue(at, value, `must be a JSON path below .${below.join(' or .')}`))
    }
  }
  check('specReplicasPath', ['spec'])
  check('statusReplicasPath', ['status'])
  check('labelSelectorPath', ['spec', 'status'], false)
  return errors
}

export function validateConversion(
  conversion: CustomResourceDefinition['spec']['conversion'],
  path: string,
  { features, accepted }: Pick<DefinitionContext, 'features' | 'accepted'>,
): FieldError[] {
  if (!conversion) return []
  const { strategy, webhook } = conversion
  const errors: FieldError[] = []
  const strategies = ['None', 'Webhook']
  if (strategy === '') errors.push(requiredValue(`${path}.strategy`, `must be one of ${strategies.join(', ')}`))
  else if (!strategies.includes(strategy)) errors.push(notSupported(`${path}.strategy`, strategy, strategies))
  const { clientConfig, conversionReviewVersions: versions } = webhook ?? {}
  const configPath = `${path}.webhookClientConfig`
  const versionsPath = `${path}.conversionReviewVersions`
  if (strategy !== 'Webhook') {
    const detail = 'must not be set unless strategy is Webhook'
    if (clientConfig) errors.push(forbiddenField(configPath, detail))
    if ((versions ?? []).length > 0) errors.push(forbiddenField(versionsPath, detail))
    return errors
  }
  if (clientConfig) {
    addAll(errors, validateWebhookClientConfig(clientConfig, configPath))
    const { caBundle = '' } = clientConfig
    // Until a definition is established, its bundle may still be missing.
    const mustBeValid = features.checkedBundles && accepted?.isEstablished && isValidBundle(accepted.caBundle)
    if (mustBeValid && !isValidBundle(caBundle))
      errors.push(invalidValue(`${configPath}.caBundle`, caBundle, 'must be PEM certificates'))
  } else errors.push(requiredValue(configPath, 'required when strategy is Webhook'))
  return [...errors, ...validateReviewVersions(versions ?? [], versionsPath)]
}

function validateReviewVersions(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [requiredValue(path)]
  const errors: FieldError[] = []
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) errors.push(invalidValue(`${path}[${i}]`, version, 'duplicate version'))
    else for (const text of isDns1035Label(version)) errors.push(invalidValue(`${path}[${i}]`, version, text))
  })
  if (!versions.some(version => reviewVersions.includes(version)))
    errors.push(invalidValue(path, versions, `must include at least one of ${reviewVersions.join(', ')}`))
  return errors
}

/** Only a schema can preserve unknown fields; this deprecated field excludes defaults and conversion. */
export function validatePreserved({ versions, conversion }: CustomResourceDefinition['spec']): FieldError[] {
  const path = 'spec.preserveUnknownFields'
  const errors = [invalidValue(path, true, 'must be false: preserve unknown fields in the schema')]
  if ((versions ?? []).some(({ schema }) => hasDefault(schema?.openAPIV3Schema)))
    errors.push(invalidValue(path, true, 'must be false in order to use defaults in the schema'))
  if (conversion && conversion.strategy !== 'None')
    errors.push(
      invalidValue(
        'spec.conversion.strategy',
        conversion.strategy,
        'must be None if spec.preserveUnknownFields is true',
      ),
    )
  return errors
}
/** Deeper schemas are rejected anyway. */
const maxDepth = 500
function hasDefault(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null || depth > maxDepth) return false
  const { default: value, enum: _, example: __, ...rest } = schema as JsonSchema
  const { properties, ...others } = rest as { properties?: object }
  const inside = [...Object.values(properties ?? {}), ...Object.values(others)]
  return (value ?? undefined) !== undefined || inside.some(each => hasDefault(each, depth + 1))
}

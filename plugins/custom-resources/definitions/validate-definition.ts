import { addAll, type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { isDns1035Label, isDns1123Subdomain } from 'orch/sdk/validation'
import type { CustomResourceNames } from '../names.js'
import { finishInTurns, type Steps } from '../schemas/turns.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import { Work, WorkExceeded, workAtOnce } from '../schemas/work.js'
import type { DefinitionContext } from './definition-context.js'
import type { CustomResourceDefinition, DefinitionVersion } from './schema.js'
import { validateNames, validateRequestedNames } from './validate-names.js'
import { validateConversion, validatePreserved } from './validate-parts.js'
import { noRules, type RuleChecks, type SchemaContext, validateVersionParts } from './validate-version-parts.js'

type Spec = CustomResourceDefinition['spec']

/** Loads the validation of rules. CEL is loaded with the first definition that has rules. */
export async function loadRuleChecks({ versions }: Spec, { keywords }: CustomResourceNames): Promise<RuleChecks> {
  const isMentioned = JSON.stringify(versions ?? []).includes(keywords.validations)
  if (!isMentioned) return noRules
  const [{ validateRules: validate }, { validateRuleTexts: validateTexts }, { compileRunRules: compile }] =
    await Promise.all([
      import('../rules/validate-rules.js'),
      import('../rules/validate-rule-texts.js'),
      import('../rules/run-rules.js'),
    ])
  return { validate, validateTexts, compile }
}

/** Larger definitions are validated in the thread. A rule counts as many characters as take as long to validate. */
const maxCharactersAtOnce = 200_000
const charactersPerRule = 5000

/** Validates the spec of a definition: in turns, or in the thread if it is large. */
export async function validateSpecInTurn(
  spec: Spec,
  context: DefinitionContext,
  thread: ValidationThread,
): Promise<readonly FieldError[]> {
  const text = JSON.stringify(spec)
  const rules = text.split('"rule":').length - 1
  const { maxWork } = thread.limits
  if (text.length + rules * charactersPerRule <= maxCharactersAtOnce) {
    try {
      const work = new Work(Math.min(workAtOnce, maxWork))
      const checkRules = await loadRuleChecks(spec, context.names)
      return await finishInTurns(validateSpec(spec, { ...context, checkRules, work, maxWork }))
    } catch (error) {
      if (!(error instanceof WorkExceeded)) throw error
    }
  }
  return thread.run({ kind: 'definition', spec: text, context, maxWork })
}

/** Validates the spec of a definition. `maxWork` is what the validation of an object may take. */
export function* validateSpec(spec: Spec, context: SchemaContext): Steps<FieldError[]> {
  const versions = spec.versions ?? []
  return [
    ...validateGroup(spec.group),
    ...validateScope(spec.scope),
    ...(spec.preserveUnknownFields ? validatePreserved(spec) : []),
    ...validateVersions(versions),
    ...validateRequestedNames(spec.names, 'spec.names'),
    ...(yield* validateVersionParts(versions, context)),
    ...validateConversion(spec.conversion, 'spec.conversion', context),
  ]
}

export const validateName = ({ metadata, spec }: CustomResourceDefinition): FieldError[] => {
  const wanted = `${spec.names.plural}.${spec.group}`
  return (['generateName', 'name'] as const).flatMap(field => {
    const value = metadata[field]
    if (!value || value === wanted) return []
    return [invalidValue(`metadata.${field}`, value, 'must be spec.names.plural+"."+spec.group')]
  })
}

export const validateStatus = ({ acceptedNames }: CustomResourceDefinition['status']): FieldError[] =>
  validateNames(acceptedNames, 'status.acceptedNames')

export function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = 'status.storedVersions'
  const stored = status.storedVersions ?? []
  if (stored.length === 0) return [invalidValue(path, stored, 'must have at least one stored version')]
  const known = new Set((spec.versions ?? []).map(version => version.name))
  const errors = stored.flatMap((version, i) =>
    known.has(version) ? [] : [invalidValue(`${path}[${i}]`, version, 'must appear in spec.versions')],
  )
  // Of versions that are repeated, the first counts.
  const left = new Set(stored)
  for (const { name, storage } of spec.versions ?? [])
    if (!left.delete(name) && storage) errors.push(invalidValue(path, stored, `must have the storage version ${name}`))
  return errors
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [requiredValue('spec.group')]
  const texts = isDns1123Subdomain(group)
  if (texts.length > 0) return [invalidValue('spec.group', group, texts.join(','))]
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

function validateScope(scope: string): FieldError[] {
  const scopes = ['Cluster', 'Namespaced']
  if (scope === '') return [requiredValue('spec.scope', `must be one of ${scopes.join(', ')}`)]
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)]
}

function validateVersions(versions: readonly DefinitionVersion[]): FieldError[] {
  const errors: FieldError[] = []
  const names = versions.map(version => version.name)
  versions.forEach(({ name, schema, deprecated, deprecationWarning: warning }, i) => {
    const path = `spec.versions[${i}]`
    if (!schema?.openAPIV3Schema) errors.push(requiredValue(`${path}.schema.openAPIV3Schema`, 'schemas are required'))
    const texts = isDns1035Label(name)
    if (texts.length > 0) {
      errors.push(invalidValue(`${path}.name`, name, texts.join(',')))
      // The reference still has a field for the first version; where there is no name, it is not set.
      if (i === 0 && name !== '') errors.push(invalidValue('spec.version', name, texts.join(',')))
    }
    if (warning !== undefined)
      addAll(errors, validateWarning(warning, deprecated ?? false, `${path}.deprecationWarning`))
  })
  if (new Set(names).size < names.length)
    errors.push(invalidValue('spec.versions', names, 'must contain unique version names'))
  if (versions.filter(version => version.storage).length !== 1)
    errors.push(invalidValue('spec.versions', names, 'must have exactly one version marked as storage version'))
  return errors
}

/** The warning is sent as a response header. */
function validateWarning(warning: string, isDeprecated: boolean, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (!isDeprecated) return [invalidValue(path, warning, 'can only be set for deprecated versions')]
  if (warning === '') errors.push(invalidValue(path, warning, 'must not be an empty string'))
  if (Buffer.byteLength(warning) > 256) errors.push(invalidValue(path, warning, 'must be <= 256 characters long'))
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(warning))
    errors.push(invalidValue(path, warning, 'must only contain printable characters'))
  return errors
}

import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  isDns1035Label,
  isDns1123Subdomain,
  notSupported,
  requiredValue,
} from 'orch/sdk'
import { languageOfNewRules, languageOfStoredRules } from '../expressions/language.js'
import type { compileRunRules } from '../expressions/run-rules.js'
import type { validateRules, validateRuleTexts } from '../expressions/validate-rules.js'
import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'
import { readSchema } from '../schemas/schema-node.js'
import { finishInTurns, type Steps } from '../schemas/turns.js'
import { canonical } from '../schemas/validate-value.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import { Work, WorkExceeded, workAtOnce } from '../schemas/work.js'
import type { CustomResourceDefinition, DefinitionVersion, JsonSchema } from './schema.js'
import { type CompileRules, validateDefaults } from './validate-defaults.js'
import { validateNames, validateRequestedNames } from './validate-names.js'
import { validateColumn, validateConversion, validatePreserved, validateSubresources } from './validate-parts.js'
import { validateKeywords } from './validate-schema.js'
import { validateSelectableFields } from './validate-selectable-fields.js'
import { validateCompleteness, validateStructure } from './validate-structure.js'
import { validateDepth, validatePatternSizes, validateWorstCase } from './validate-worst-case.js'

type Spec = CustomResourceDefinition['spec']

/** How rules are validated, and run on defaults. */
interface RuleChecks {
  readonly validate: typeof validateRules
  readonly validateTexts: typeof validateRuleTexts
  readonly compile: typeof compileRunRules
}
const noRules: RuleChecks = {
  // biome-ignore lint/correctness/useYield: there is nothing to do
  *validate() {
    return []
  },
  validateTexts: () => [],
  compile: () => undefined,
}

/** What the validation of a definition needs. Plain data, which the validation thread gets as it is. */
export interface DefinitionContext {
  readonly names: CustomResourceNames
  readonly features: Features
  /** What was accepted before, on updates. */
  readonly accepted?: AcceptedBefore
}
/** What the stored definition has. */
export interface AcceptedBefore {
  /** Expressions of rules and messages: they may use all functions. */
  readonly expressions: readonly string[]
  /** Versions whose schema is the same: a rule of theirs is not refused for its cost. */
  readonly unchangedVersions: readonly string[]
  /** Versions that had more selectable fields than allowed, and have the same ones still. */
  readonly manySelectable: readonly string[]
  /** Whether it is established, and so must keep a valid CA bundle. */
  readonly isEstablished: boolean
  readonly caBundle: string
}

/** What the validation of a schema needs. */
interface Means extends DefinitionContext {
  readonly checkRules: RuleChecks
  readonly work: Work
  readonly maxWork: number
}

/** Loads the validation of rules. CEL is loaded with the first definition that has rules. */
export async function loadRuleChecks({ versions }: Spec, { keywords }: CustomResourceNames): Promise<RuleChecks> {
  const isMentioned = JSON.stringify(versions ?? []).includes(keywords.validations)
  if (!isMentioned) return noRules
  const [{ validateRules: validate, validateRuleTexts: validateTexts }, { compileRunRules: compile }] =
    await Promise.all([import('../expressions/validate-rules.js'), import('../expressions/run-rules.js')])
  return { validate, validateTexts, compile }
}

/** Larger definitions are validated in the thread, and a rule stands for so many characters: compiling one takes as long. */
const charactersAtOnce = 200_000
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
  if (text.length + rules * charactersPerRule <= charactersAtOnce) {
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
export function* validateSpec(spec: Spec, means: Means): Steps<FieldError[]> {
  const versions = spec.versions ?? []
  return [
    ...validateGroup(spec.group),
    ...validateScope(spec.scope),
    ...(spec.preserveUnknownFields ? validatePreserved(spec) : []),
    ...validateVersions(versions),
    ...validateRequestedNames(spec.names, 'spec.names'),
    ...(yield* validateShared(versions, means)),
    ...validateConversion(spec.conversion, 'spec.conversion', means),
  ]
}

export const validateName = ({ metadata, spec }: CustomResourceDefinition): FieldError[] => {
  const wanted = `${spec.names.plural}.${spec.group}`
  if (!metadata.name || metadata.name === wanted) return []
  return [invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]
}

export const validateStatus = ({ acceptedNames }: CustomResourceDefinition['status']): FieldError[] =>
  validateNames(acceptedNames, 'status.acceptedNames')

export function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = 'status.storedVersions'
  const stored = status.storedVersions ?? []
  if (stored.length === 0) return [invalidValue(path, stored, 'must have at least one stored version')]
  const known = (spec.versions ?? []).map(version => version.name)
  const errors = stored.flatMap((version, i) =>
    known.includes(version) ? [] : [invalidValue(`${path}[${i}]`, version, 'must appear in spec.versions')],
  )
  for (const { name, storage } of spec.versions ?? [])
    if (storage && !stored.includes(name))
      errors.push(invalidValue(path, stored, `must have the storage version ${name}`))
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

/**
 * Schemas, subresources and columns. Kubernetes treats what is the same in all versions as one top-level field, and its error
 * messages have the path of that field; clients rely on these paths.
 */
function* validateShared(versions: readonly DefinitionVersion[], means: Means): Steps<FieldError[]> {
  const errors: FieldError[] = []
  const isSame = (part: (version: DefinitionVersion) => unknown): boolean => {
    const [first, ...others] = versions
    const text = first && canonical(part(first) ?? null)
    return others.every(version => canonical(part(version) ?? null) === text)
  }
  function* each(
    part: (version: DefinitionVersion) => unknown,
    validate: (version: DefinitionVersion, path: string) => FieldError[] | Steps<FieldError[]>,
  ): Steps<void> {
    const [first] = versions
    if (!first) return
    const isShared = isSame(part)
    for (const [i, version] of isShared ? [[0, first] as const] : versions.entries()) {
      const found = validate(version, isShared ? '' : `versions[${i}].`)
      addAll(errors, Array.isArray(found) ? found : yield* found)
    }
  }
  const hasStatus = versions.some(version => version.subresources?.status !== undefined)
  yield* each(
    version => version.schema,
    ({ name, schema, subresources }, at) => {
      if (!schema?.openAPIV3Schema) return []
      const path = at === '' ? 'spec.validation.openAPIV3Schema' : `spec.${at}schema.openAPIV3Schema`
      const isSplit = at === '' ? hasStatus : subresources?.status !== undefined
      const isUnchanged = means.accepted?.unchangedVersions.includes(name) ?? false
      return validateSchema(schema.openAPIV3Schema, path, isSplit, isUnchanged, means)
    },
  )
  yield* each(
    version => version.subresources,
    ({ subresources }, at) => validateSubresources(subresources, `spec.${at}subresources`),
  )
  yield* each(
    version => version.additionalPrinterColumns,
    ({ additionalPrinterColumns: columns = [] }, at) =>
      columns.flatMap((column, i) => validateColumn(column, `spec.${at}additionalPrinterColumns[${i}]`)),
  )
  yield* each(
    version => version.selectableFields,
    ({ name, selectableFields = [], schema }, at) => {
      // Fields that all versions have in common belong to the schema that all versions have in common.
      const isWithoutSchema = at === '' && !isSame(version => version.schema)
      const source = isWithoutSchema ? undefined : schema?.openAPIV3Schema
      return validateSelectableFields(selectableFields, source, `spec.${at}selectableFields`, {
        keywords: means.names.keywords,
        mayBeMany: means.accepted?.manySelectable.includes(name) ?? false,
      })
    },
  )
  return errors
}

function* validateSchema(
  source: JsonSchema,
  path: string,
  hasStatus: boolean,
  isUnchanged: boolean,
  { names, features, accepted, checkRules, work, maxWork }: Means,
): Steps<FieldError[]> {
  const { keywords } = names
  const tooDeep = validateDepth(source, path)
  if (tooDeep) return [tooDeep]
  const schema = readSchema(source, keywords)
  const tooLarge = validatePatternSizes(schema, path, work)
  if (tooLarge) return [tooLarge]
  const errors = hasStatus ? validateRootBesideStatus(source, path, names) : []
  if (schema.nullable) errors.push(forbiddenField(`${path}.nullable`, 'must not be true at the root'))
  const ofKeywords = validateKeywords(schema, path, keywords)
  yield
  const language = languageOfNewRules(features, accepted?.expressions)
  const validation = { keywords, language, ignoresRuleCost: isUnchanged }
  // Without a dialect that is not supported the schema can be read; otherwise what follows says nothing.
  const isReadable = !usesDialect(source)
  const ofStructure = isReadable
    ? [...validateStructure(schema, path, keywords), ...validateCompleteness(schema, path)]
    : []
  yield
  const tooMuch = !isReadable || ofStructure.length > 0 ? ofStructure : validateWorstCase(schema, path, maxWork)
  const ofDefaults = (compile: CompileRules) =>
    !isReadable || tooMuch.length > 0 ? tooMuch : validateDefaults(schema, path, work, features, compile)
  const compileRules: CompileRules = (each, isRoot) => checkRules.compile(each, languageOfStoredRules(features), isRoot)
  if (features.rulesOfValidSchemas) {
    const others = ofDefaults(compileRules)
    // Rules are checked only in a schema that is valid without them.
    const ofRules =
      isReadable && others.length === 0
        ? yield* checkRules.validate(schema, path, { ...validation, otherErrors: ofKeywords })
        : checkRules.validateTexts(schema, path, keywords)
    addAll(errors, others, ofKeywords, ofRules)
  } else {
    const ofRules = yield* checkRules.validate(schema, path, validation)
    // Rules that are wrong are not tried on the defaults.
    addAll(errors, ofKeywords, ofRules, ofDefaults(ofRules.length > 0 ? () => undefined : compileRules))
  }
  if (!isReadable && errors.length === 0) errors.push(invalidValue(path, '', '$schema is not supported'))
  return errors
}

function usesDialect(source: unknown): boolean {
  if (typeof source !== 'object' || source === null) return false
  const { $schema, default: _, enum: __, example: ___, ...rest } = source as JsonSchema
  return (typeof $schema === 'string' && $schema !== '') || Object.values(rest).some(usesDialect)
}

/** With the status subresource only these keywords are allowed at the root. */
const rootKeywords = new Set([
  ...[
    'description',
    'format',
    'title',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
  ],
  ...[
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
    'multipleOf',
    'required',
    'items',
    'properties',
    'externalDocs',
    'example',
  ],
])
function validateRootBesideStatus(source: JsonSchema, path: string, { keywords }: CustomResourceNames): FieldError[] {
  const { type = '', ...rest } = source
  if (type !== '' && type !== 'object')
    return [invalidValue(`${path}.type`, type, 'must be object at the root if the status subresource is enabled')]
  const isAllowed = (key: string) =>
    rootKeywords.has(key) || key === keywords.preserveUnknownFields || key === keywords.validations
  const other = Object.keys(rest).find(key => !isAllowed(key))
  if (other === undefined) return []
  return [
    invalidValue(path, other, `${other} is not allowed at the root of the schema if the status subresource is enabled`),
  ]
}

import { addAll, type FieldError, forbiddenField, invalidValue, isRecord } from 'orch/sdk'
import { readSchema } from '../../../libs/json-schema/index.js'
import type { CustomResourceNames, SchemaKeywords } from '../names.js'
import { languageOfNewRules, languageOfStoredRules } from '../rules/language.js'
import type { compileRunRules } from '../rules/run-rules.js'
import type { validateRuleTexts } from '../rules/validate-rule-texts.js'
import type { validateRules } from '../rules/validate-rules.js'
import type { Steps } from '../schemas/turns.js'
import { canonical } from '../schemas/validate-value.js'
import type { Work } from '../schemas/work.js'
import type { DefinitionContext } from './definition-context.js'
import type { DefinitionVersion, JsonSchema } from './schema.js'
import { type CompileRules, validateDefaults } from './validate-defaults.js'
import { validateColumn, validateSubresources } from './validate-parts.js'
import { validateKeywords } from './validate-schema.js'
import { validateSelectableFields } from './validate-selectable-fields.js'
import { validateCompleteness, validateStructure } from './validate-structure.js'
import { validateDepth, validatePatternSizes, validateWorstCase } from './validate-worst-case.js'

/** How rules are validated, and run on defaults. */
export interface RuleChecks {
  readonly validate: typeof validateRules
  readonly validateTexts: typeof validateRuleTexts
  readonly compile: typeof compileRunRules
}
export const noRules: RuleChecks = {
  // biome-ignore lint/correctness/useYield: there is nothing to do
  *validate() {
    return []
  },
  validateTexts: () => [],
  compile: () => undefined,
}

/** Context of the validation of a schema. */
export interface SchemaContext extends DefinitionContext {
  readonly checkRules: RuleChecks
  readonly work: Work
  readonly maxWork: number
}

/**
 * Schemas, subresources and columns. Kubernetes treats parts that are the same in all versions as one top-level field,
 * and errors have the path of that field; clients rely on these paths.
 */
export function* validateVersionParts(
  versions: readonly DefinitionVersion[],
  context: SchemaContext,
): Steps<FieldError[]> {
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
      const isUnchanged = context.accepted?.unchangedVersions.includes(name) ?? false
      return validateSchema(schema.openAPIV3Schema, path, isSplit, isUnchanged, context)
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
      // Fields that all versions have in common belong to the schema that all versions have in common, and others to
      // that of their version.
      const isOfSchema = (at === '') === isSame(version => version.schema)
      const source = isOfSchema ? schema?.openAPIV3Schema : undefined
      const { keywords } = context.names
      const isLost = source !== undefined && !validateDepth(source, '') && isUnreadable(source, keywords)
      const errors =
        isLost && selectableFields.length > 0
          ? [invalidValue(`spec.${at}schema.openAPIV3Schema`, '', 'cannot be read, so that no field can be selected')]
          : []
      addAll(
        errors,
        validateSelectableFields(selectableFields, isLost ? {} : source, `spec.${at}selectableFields`, {
          keywords,
          mayBeMany: context.accepted?.manySelectable.includes(name) ?? false,
        }),
      )
      return errors
    },
  )
  return errors
}

function* validateSchema(
  source: JsonSchema,
  path: string,
  hasStatus: boolean,
  isUnchanged: boolean,
  { names, features, accepted, checkRules, work, maxWork }: SchemaContext,
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
  const isReadable = !isUnreadable(source, keywords)
  const { partsMayClose, metadataMayHaveExamples } = features
  const structureRules = { keywords, partsMayClose, metadataMayHaveExamples }
  const ofStructure = isReadable
    ? [...validateStructure(schema, path, structureRules), ...validateCompleteness(schema, path)]
    : []
  yield
  const tooMuch = !isReadable || ofStructure.length > 0 ? ofStructure : validateWorstCase(schema, path, maxWork)
  const ofDefaults = (compile: CompileRules) =>
    !isReadable || tooMuch.length > 0
      ? tooMuch
      : validateDefaults(schema, path, {
          work,
          options: features,
          compileRules: compile,
          runsWithoutOld: features.ratchets,
        })
  const compileRules: CompileRules = (each, isRoot) => checkRules.compile(each, languageOfStoredRules(features), isRoot)
  if (features.rulesOfValidSchemas) {
    const others = ofDefaults(compileRules)
    // Rules are validated only in a schema that is otherwise valid.
    const ofRules =
      isReadable && others.length === 0
        ? yield* checkRules.validate(schema, path, { ...validation, otherErrors: ofKeywords })
        : checkRules.validateTexts(schema, path, keywords)
    addAll(errors, others, ofKeywords, ofRules)
  } else {
    const ofRules = yield* checkRules.validate(schema, path, validation)
    // Invalid rules are not run on the defaults.
    addAll(errors, ofKeywords, ofRules, ofDefaults(ofRules.length > 0 ? () => undefined : compileRules))
  }
  if (!isReadable && errors.length === 0) errors.push(invalidValue(path, '', '$schema is not supported'))
  return errors
}

const isFilled = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Whether a schema has keywords that prevent further validation. All but $schema are reported as errors elsewhere. */
function isUnreadable(schema: unknown, keywords: SchemaKeywords): boolean {
  if (!isRecord(schema)) return false
  if (schema[keywords.preserveUnknownFields] === false) return true
  const { id, $schema, $ref, patternProperties, dependencies, definitions, additionalItems, items } = schema
  if ([id, $schema, $ref].some(text => typeof text === 'string' && text !== '')) return true
  if (isFilled(patternProperties) || isFilled(dependencies) || isFilled(definitions) || Array.isArray(items))
    return true
  if (additionalItems !== undefined && additionalItems !== null) return true
  const { properties, additionalProperties, not, allOf, anyOf, oneOf } = schema
  return [
    ...(isRecord(properties) ? Object.values(properties) : []),
    ...[allOf, anyOf, oneOf].flatMap(parts => (Array.isArray(parts) ? parts : [])),
    additionalProperties,
    items,
    not,
  ].some(part => isUnreadable(part, keywords))
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

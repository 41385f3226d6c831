import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, invalidValue, notSupported, ownValue, requiredValue } from 'orch/sdk'
import { isDns1123Label, isDns1123Subdomain } from 'orch/sdk/validation'
import { mandatorySchemas } from '../bootstrap/mandatory.js'
import { exempt } from '../names.js'
import type { FlowSchema, NonResourceRule, ResourceRule, Rule, Subject } from './schema.js'

const all = '*'
const maxPrecedence = 10_000
const distinguishers = ['ByNamespace', 'ByUser']
/** Of both kinds of rules: those for other paths do not know the methods head, options, post and put. */
const knownVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

export function validateFlowSchema({ metadata, spec }: FlowSchema): FieldError[] {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules = [] } = spec ?? {}
  const name = metadata?.name ?? ''
  const mandatory = ownValue(mandatorySchemas, name)
  const level = priorityLevelConfiguration?.name ?? ''
  const levelAt = 'spec.priorityLevelConfiguration.name'
  const precedence = (detail: string) => [invalidValue('spec.matchingPrecedence', matchingPrecedence, detail)]
  return [
    ...(matchingPrecedence <= 0 ? precedence('must be a positive value') : []),
    ...(matchingPrecedence > maxPrecedence ? precedence(`must not be greater than ${maxPrecedence}`) : []),
    ...(matchingPrecedence === 1 && name !== exempt ? precedence(`only the schema named ${exempt} may have 1`) : []),
    ...(distinguisherMethod && !distinguishers.includes(distinguisherMethod.type)
      ? [notSupported('spec.distinguisherMethod.type', distinguisherMethod.type, distinguishers)]
      : []),
    ...(level === ''
      ? [requiredValue(levelAt, 'must reference a priority level')]
      : isDns1123Subdomain(level).map(text => invalidValue(levelAt, level, text))),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...(mandatory && !isDeepStrictEqual(mandatory, spec)
      ? [invalidValue('spec', spec, `the spec of ${name} cannot change`)]
      : []),
  ]
}

function validateRule(rule: Rule, at: string): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule
  // A required list that is not set is null.
  const subjects = rule.subjects ?? []
  const isEmpty = resourceRules.length === 0 && nonResourceRules.length === 0
  return [
    ...(subjects.length === 0 ? [requiredValue(`${at}.subjects`, 'must have at least one item')] : []),
    ...subjects.flatMap((subject, index) => validateSubject(subject, `${at}.subjects[${index}]`)),
    ...(isEmpty ? [requiredValue(at, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...resourceRules.flatMap((one, index) => validateResourceRule(one, `${at}.resourceRules[${index}]`)),
    ...nonResourceRules.flatMap((one, index) => validateNonResourceRule(one, `${at}.nonResourceRules[${index}]`)),
  ]
}

const subjectFields = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' } as const

function validateSubject(subject: Subject, at: string): FieldError[] {
  const wanted = (subjectFields as Record<string, 'user' | 'group' | 'serviceAccount'>)[subject.kind]
  if (!wanted) return [notSupported(`${at}.kind`, subject.kind, Object.keys(subjectFields))]
  const others = Object.values(subjectFields).filter(name => name !== wanted && subject[name] !== undefined)
  const given = subject[wanted]
  return [
    ...(given ? validateNamed(given, `${at}.${wanted}`) : [requiredValue(`${at}.${wanted}`)]),
    ...others.map(name => forbiddenField(`${at}.${name}`, `is forbidden when kind is ${subject.kind}`)),
  ]
}

function validateNamed(subject: { name: string; namespace?: string }, at: string): FieldError[] {
  const { name, namespace } = subject
  if (namespace === undefined) return name ? [] : [requiredValue(`${at}.name`)]
  const checked = (value: string, part: string, rule: (value: string) => string[]) =>
    value ? rule(value).map(text => invalidValue(`${at}.${part}`, value, text)) : [requiredValue(`${at}.${part}`)]
  return [
    ...(name === all ? [] : checked(name, 'name', isDns1123Subdomain)),
    ...checked(namespace, 'namespace', isDns1123Label),
  ]
}

/** Checks that a list is not empty, and that `*` stands alone. */
function validateList(list: readonly string[] | null, at: string): FieldError[] {
  if (!list?.length) return [requiredValue(at)]
  return list.length > 1 && list.includes(all)
    ? [invalidValue(at, list, `if ${all} is present, nothing else may be`)]
    : []
}

function validateVerbs(list: readonly string[] | null, at: string): FieldError[] {
  const broken = validateList(list, at)
  if (broken.length > 0) return broken
  return list?.every(verb => verb === all || knownVerbs.includes(verb)) ? [] : [notSupported(at, list, knownVerbs)]
}

function validateResourceRule(rule: ResourceRule, at: string): FieldError[] {
  const namespaces = rule.namespaces ?? []
  const namespaceList = namespaces.length === 0 && rule.clusterScope ? [] : validateList(namespaces, `${at}.namespaces`)
  return [
    ...validateVerbs(rule.verbs, `${at}.verbs`),
    ...validateList(rule.apiGroups, `${at}.apiGroups`),
    ...validateList(rule.resources, `${at}.resources`),
    ...namespaceList,
    ...(namespaceList.length > 0 ? [] : namespaces).flatMap((name, index) =>
      (name === all ? [] : isDns1123Label(name)).map(text => invalidValue(`${at}.namespaces[${index}]`, name, text)),
    ),
  ]
}

function validateNonResourceRule({ verbs, nonResourceURLs }: NonResourceRule, at: string): FieldError[] {
  const list = validateList(nonResourceURLs, `${at}.nonResourceURLs`)
  return [
    ...validateVerbs(verbs, `${at}.verbs`),
    ...list,
    ...(list.length > 0 ? [] : (nonResourceURLs ?? [])).flatMap((path, index) => {
      const broken = path === all ? undefined : pathRule(path)
      return broken ? [invalidValue(`${at}.nonResourceURLs[${index}]`, path, broken)] : []
    }),
  ]
}

function pathRule(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must start with a slash'
  if (path.includes(' ')) return 'must not contain a space'
  if (path.includes('//')) return 'must not contain two slashes in a row'
  const star = path.indexOf(all)
  if (star >= 0 && (star !== path.length - 1 || !path.endsWith('/*'))) return 'the wildcard can only be the last step'
  return undefined
}

import {
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  type ServedLevel,
  tooLong,
  tooMany,
} from 'orch/sdk'
import {
  isCIdentifier,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  repeats,
} from 'orch/sdk/validation'
import {
  keysAreAtMaps,
  longListsAreNotRead,
  missingNamesAreInvalid,
  repeatsAreAtItems,
  taintsMayOnlyInform,
} from '../differences.js'
import { attributeNameMaxBytes, poolNameMaxBytes } from '../limits.js'

/** A rule about the value at a field. */
export type Rule<T> = (value: T, field: string, level: ServedLevel) => FieldError[]

const wrongBy =
  (rule: (value: string) => string[]) =>
  (value: string, field: string): FieldError[] =>
    rule(value).map(text => invalidValue(field, value, text))

export const checkLabel = wrongBy(isDns1123Label)
export const checkSubdomain = wrongBy(isDns1123Subdomain)
export const checkLabelKey = wrongBy(isQualifiedName)
export const checkLabelValue = wrongBy(isValidLabelValue)

const bytes = (text: string) => Buffer.byteLength(text)
export const checkLength = (value: string, max: number, field: string): FieldError[] =>
  bytes(value) > max ? [tooLong(field, max)] : []

const driverNameMaxBytes = 63
/** The name of a driver: a DNS subdomain, in any case. */
export function checkDriver(name: string, field: string, level: ServedLevel): FieldError[] {
  const missing = name === '' ? [requiredValue(field)] : []
  if (missing.length > 0 && level.has(missingNamesAreInvalid)) return missing
  const wrong = isDns1123Subdomain(name.toLowerCase()).map(text => invalidValue(field, name, text))
  return [...missing, ...checkLength(name, driverNameMaxBytes, field), ...wrong]
}

/** One or more DNS subdomains with slashes between them. */
export function checkPoolName(name: string, field: string): FieldError[] {
  if (name === '') return [requiredValue(field)]
  const parts = name.split('/').flatMap(part => checkSubdomain(part, field))
  return [...checkLength(name, poolNameMaxBytes, field), ...parts]
}

/** The required name of a device class. */
export const checkClassName = (name: string, field: string): FieldError[] =>
  name === '' ? [requiredValue(field)] : checkSubdomain(name, field)

const checkIdentifier = (name: string, field: string): FieldError[] => [
  ...checkLength(name, attributeNameMaxBytes, field),
  ...isCIdentifier(name).map(text => invalidValue(field, name, text)),
]

/** The name of an attribute or a capacity; the default domain is that of the driver. Like Kubernetes, it ignores names with several slashes. */
export function checkAttributeName(name: string, field: string, level: ServedLevel): FieldError[] {
  const isInvalid = level.has(missingNamesAreInvalid)
  const missing = (detail: string) => [isInvalid ? invalidValue(field, '', detail) : requiredValue(field, detail)]
  if (name === '' && !isInvalid) return missing('the name must not be empty')
  const parts = name.split('/')
  const [first = '', second = ''] = parts
  if (parts.length === 1) return checkIdentifier(first, field)
  if (parts.length > 2) return []
  return [
    ...(first === '' ? missing('the domain must not be empty') : checkDriver(first, field, level)),
    ...(second === '' ? missing('the name must not be empty') : checkIdentifier(second, field)),
  ]
}

/** The same with a domain. */
export function checkFullAttributeName(name: string, field: string, level: ServedLevel): FieldError[] {
  const errors = checkAttributeName(name, field, level)
  const isReported = name === '' && !level.has(missingNamesAreInvalid)
  if (!name.includes('/') && !isReported)
    errors.push(invalidValue(field, name, 'must be a domain and a name with a slash between them'))
  return errors
}

/** Checks each item. */
export function checkList<T>(
  list: readonly T[] | null | undefined,
  max: number,
  rule: Rule<T>,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const items = list ?? []
  const excess = items.length > max ? [tooMany(field, items.length, max)] : []
  if (excess.length > 0 && level.has(longListsAreNotRead)) return excess
  return [...items.flatMap((item, i) => rule(item, `${field}[${i}]`, level)), ...excess]
}

/** What identifies an item of a set, and the field that it is in, unless the item itself is the key. */
export interface ItemKey<T> {
  readonly field?: string
  of(item: T): string
}
export const byName: ItemKey<{ readonly name: string }> = { field: 'name', of: ({ name }) => name }
export const byText: ItemKey<string> = { of: text => text }

/** The same for items of which no two have the same key. */
export function checkSet<T>(
  list: readonly T[] | null | undefined,
  max: number,
  rule: Rule<T>,
  key: ItemKey<T>,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const items = list ?? []
  const errors = checkList(items, max, rule, field, level)
  if (items.length > max && level.has(longListsAreNotRead)) return errors
  const inItem = key.field === undefined || level.has(repeatsAreAtItems) ? '' : `.${key.field}`
  return [...errors, ...repeated(items.map(key.of), field, inItem)]
}

function repeated(keys: readonly string[], field: string, inItem = ''): FieldError[] {
  const isRepeat = repeats(keys)
  return keys.flatMap((key, i) => (isRepeat[i] ? [duplicate(`${field}[${i}]${inItem}`, key)] : []))
}

/** A map: errors of a value are reported at its key. */
export function checkMap<T>(
  map: Readonly<Record<string, T>> | undefined,
  max: number,
  keyRule: Rule<string>,
  rule: Rule<T>,
  field: string,
  shownKeyLength: number,
  level: ServedLevel,
): FieldError[] {
  const entries = Object.entries(map ?? {})
  const excess = entries.length > max ? [tooMany(field, entries.length, max)] : []
  if (excess.length > 0 && level.has(longListsAreNotRead)) return excess
  const errors = entries.flatMap(([key, value]) => {
    const at = `${field}[${shortened(key, shownKeyLength)}]`
    return [...keyRule(key, level.has(keysAreAtMaps) ? field : at, level), ...rule(value, at, level)]
  })
  return [...excess, ...errors]
}

/** A long key is shown with its middle left out. */
function shortened(text: string, length: number): string {
  const max = Math.max(length, 16)
  if (text.length <= max) return text
  const left = max - 3
  return `${text.slice(0, Math.ceil(left / 2))}...${text.slice(text.length - Math.floor(left / 2))}`
}

/** A required value of an enumeration. */
export function checkChoice(value: string | undefined, choices: readonly string[], field: string): FieldError[] {
  if (!value) return [requiredValue(field)]
  return choices.includes(value) ? [] : [notSupported(field, value, choices)]
}

/** Opaque parameters must be an object of limited size. The size of stored parameters is not checked again. */
export function checkOpaque(value: unknown, isStored: boolean, maxBytes: number, field: string): FieldError[] {
  if (value === undefined || value === null) return [requiredValue(field)]
  if (!isStored && bytes(JSON.stringify(value)) > maxBytes) return [tooLong(field, maxBytes)]
  return typeof value === 'object' && !Array.isArray(value)
    ? []
    : [invalidValue(field, '<value omitted>', 'must be an object')]
}

/** Conditions for binding: one list requires the other, and they must be disjoint. */
export function checkBindingConditions(
  conditions: readonly string[] = [],
  failures: readonly string[] = [],
  max: number,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const [at, failuresAt] = [`${field}.bindingConditions`, `${field}.bindingFailureConditions`]
  const known = new Set(conditions)
  return [
    ...checkList(conditions, max, checkLabelKey, at, level),
    ...checkList(failures, max, checkLabelKey, failuresAt, level),
    ...repeated(conditions, at),
    ...repeated(failures, failuresAt),
    ...failures.flatMap((each, i) =>
      known.has(each) ? [invalidValue(`${failuresAt}[${i}]`, each, 'must not be one of bindingConditions')] : [],
    ),
    ...(conditions.length === 0 && failures.length > 0
      ? [invalidValue(at, conditions, 'are required with bindingFailureConditions')]
      : []),
    ...(failures.length === 0 && conditions.length > 0
      ? [invalidValue(failuresAt, failures, 'are required with bindingConditions')]
      : []),
  ]
}

export const taintEffects = (level: ServedLevel): readonly string[] => [
  'NoExecute',
  'NoSchedule',
  ...(level.has(taintsMayOnlyInform) ? ['None'] : []),
]

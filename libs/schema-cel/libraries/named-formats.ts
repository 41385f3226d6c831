import {
  isQualifiedName,
  isValidLabelValue,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
} from 'orch/sdk/validation'
import {
  ArrayList,
  func,
  type Library,
  matching,
  method,
  OpaqueValue,
  Optional,
  structType,
  type Work,
} from '../../cel/index.js'
import { formatCheck } from '../../json-schema/index.js'
import { isUrl } from './urls.js'

const typeName = 'kubernetes.NamedFormat'

/** A named string format. */
class NamedFormat extends OpaqueValue {
  readonly typeName = typeName
  readonly name: string
  /** The length of the pattern of the format, which determines the cost of a check. */
  readonly patternLength: number
  /** Returns the error messages for a string. */
  readonly problems: (text: string) => readonly string[]
  constructor(name: string, patternLength: number, problems: (text: string) => readonly string[]) {
    super()
    this.name = name
    this.patternLength = patternLength
    this.problems = problems
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof NamedFormat && other.name === this.name
  }
}
const schemaFormat = (name: string, patternLength: number, problem: string) => {
  const isValid = formatCheck(name)!
  return new NamedFormat(name, patternLength, text => (isValid(text) ? [] : [problem]))
}

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  [
    new NamedFormat('dns1123Label', 30, text => nameIsDnsLabel(text, false)),
    new NamedFormat('dns1123Subdomain', 60, text => nameIsDnsSubdomain(text, false)),
    new NamedFormat('dns1035Label', 30, text => nameIsDns1035Label(text, false)),
    new NamedFormat('qualifiedName', 60, isQualifiedName),
    new NamedFormat('dns1123LabelPrefix', 30, text => nameIsDnsLabel(text, true)),
    new NamedFormat('dns1123SubdomainPrefix', 60, text => nameIsDnsSubdomain(text, true)),
    new NamedFormat('dns1035LabelPrefix', 30, text => nameIsDns1035Label(text, true)),
    new NamedFormat('labelValue', 40, isValidLabelValue),
    new NamedFormat('uri', 1103, text =>
      isUrl(text) ? [] : [`parse ${JSON.stringify(text.slice(0, 200))}: invalid URI for request`],
    ),
    schemaFormat('uuid', 83, 'does not match the UUID format'),
    schemaFormat('byte', 84, 'invalid base64'),
    schemaFormat('date', 78, 'invalid date'),
    schemaFormat('datetime', 78, 'invalid datetime'),
  ].map(format => [format.name, format]),
)

/** Steps to check each character. */
const stepsPerCharacter = 4

/** Formats of names and other strings: `!format.dns1123Label().validate(object.spec.name).hasValue()`. */
export const namedFormats: Library = {
  name: 'formats',
  since: 31,
  types: { namedFormat: structType(typeName, new Map()) },
  functions: {
    'format.named': {
      'format-named': func('string:optional(namedFormat)', (_, name: string) => {
        const format = formats.get(name)
        return format ? Optional.of(format) : Optional.none
      }),
    },
    ...Object.fromEntries(
      [...formats].map(([name, format]) => [
        `format.${name}`,
        { [`format.${name}`]: func(':namedFormat', () => format) },
      ]),
    ),
    validate: {
      'format-validate': method(
        'namedFormat,string:optional(list(string))',
        (work: Work, format: NamedFormat, text: string) => {
          work.steps(100 + text.length * stepsPerCharacter)
          const problems = format.problems(text)
          return problems.length === 0 ? Optional.none : Optional.of(new ArrayList(problems))
        },
        { cost: ([format, text]) => matching((text as string).length, (format as NamedFormat).patternLength) },
      ),
    },
  },
}

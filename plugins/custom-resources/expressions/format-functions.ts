import { type CelFunc, CelScalar, celFunc, celList, celMethod, mapType } from '@bufbuild/cel'
import { isQualifiedName, isValidLabelValue, nameIsDns1035Label, nameIsDnsLabel, nameIsDnsSubdomain } from 'orch/sdk'
import { formatCheck } from '../schemas/formats.js'
import { patternCost } from './expression-costs.js'
import { isUrl } from './extension-functions.js'
import { charge } from './meter.js'
import { contentOf, opaque } from './open-values.js'
import { optionalNone, optionalOf } from './optional-values.js'

const { STRING, DYN } = CelScalar
const Map_ = mapType(DYN, DYN)

/** A named string format. */
class Format {
  readonly name: string
  /** Returns the error messages for a string. */
  readonly validate: (text: string) => readonly string[]
  /** The length of the pattern of the format, which determines the cost of a check. */
  readonly patternLength: number
  constructor(name: string, patternLength: number, validate: (text: string) => readonly string[]) {
    this.name = name
    this.patternLength = patternLength
    this.validate = validate
  }
}
const schemaFormat = (name: string, patternLength: number, problem: string) => {
  const isValid = formatCheck(name)!
  return new Format(name, patternLength, text => (isValid(text) ? [] : [problem]))
}

const formats: ReadonlyMap<string, Format> = new Map(
  [
    new Format('dns1123Label', 30, text => nameIsDnsLabel(text, false)),
    new Format('dns1123Subdomain', 60, text => nameIsDnsSubdomain(text, false)),
    new Format('dns1035Label', 30, text => nameIsDns1035Label(text, false)),
    new Format('qualifiedName', 60, isQualifiedName),
    new Format('dns1123LabelPrefix', 30, text => nameIsDnsLabel(text, true)),
    new Format('dns1123SubdomainPrefix', 60, text => nameIsDnsSubdomain(text, true)),
    new Format('dns1035LabelPrefix', 30, text => nameIsDns1035Label(text, true)),
    new Format('labelValue', 40, isValidLabelValue),
    new Format('uri', 1000, text => (isUrl(text) ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`])),
    schemaFormat('uuid', 80, 'does not match the UUID format'),
    schemaFormat('byte', 80, 'invalid base64'),
    schemaFormat('date', 120, 'invalid date'),
    schemaFormat('datetime', 120, 'invalid datetime'),
  ].map(format => [format.name, format]),
)
export const formatNames: readonly string[] = [...formats.keys()]

const formatValue = (format: Format) => opaque(format, new Map([['name', format.name]]))

/** Formats of names and other strings: `!format.dns1123Label().validate(object.spec.name).hasValue()`. */
export const formatFunctions: CelFunc[] = [
  celFunc('format.named', [STRING], DYN, name => {
    const format = formats.get(name)
    return (format ? optionalOf(formatValue(format)) : optionalNone) as never
  }),
  ...[...formats].map(([name, format]) => celFunc(`format.${name}`, [], DYN, () => formatValue(format) as never)),
  celMethod('validate', Map_, [STRING], DYN, function (this: unknown, text: string) {
    const format = contentOf(this, Format)
    if (!format) throw new Error('no such overload: validate')
    charge(patternCost(text.length, format.patternLength))
    const problems = format.validate(text)
    return (problems.length === 0 ? optionalNone : optionalOf(celList(problems))) as never
  }),
]

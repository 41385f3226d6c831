import { SemVer } from 'semver'
import { Failure, func, type Library, method, OpaqueValue, structType, type Work } from '../../cel/index.js'
import { parses } from './parses.js'

const typeName = 'kubernetes.Semver'

/** A semantic version. Versions that differ only in build metadata are equal. */
class Version extends OpaqueValue {
  readonly typeName = typeName
  readonly parsed: SemVer
  constructor(parsed: SemVer) {
    super()
    this.parsed = parsed
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof Version && this.parsed.compare(other.parsed) === 0
  }
}

/** Longer texts are not versions. */
const maxLength = 256
const stepsToParse = 400

function parse(work: Work, text: string, isLenient: boolean): Version {
  work.steps(stepsToParse)
  const wrong = new Failure(`invalid semantic version: ${JSON.stringify(text.slice(0, maxLength))}`)
  if (text.length > maxLength) throw wrong
  const strict = isLenient ? normalized(text) : text
  // The library would also accept `v1.0.0` and spaces.
  if (!/^\d\S*$/.test(strict)) throw wrong
  try {
    return new Version(new SemVer(strict))
  } catch {
    throw wrong
  }
}

/** Removes a leading `v` and leading zeros, and adds missing numbers. */
function normalized(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.')
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length > 0 ? [rest.join('.')] : [])]
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!))
    throw new Failure('short version cannot contain PreRelease/Build meta data')
  const filled = [...parts, '0', '0'].slice(0, 3)
  return filled.map(part => part.replace(/^0+(?=\d)/, '')).join('.')
}

const isVersion = (work: Work, text: string, isLenient: boolean): boolean => parses(() => parse(work, text, isLenient))

const compare = (work: Work, one: Version, other: Version): number => {
  work.steps(stepsToParse)
  return one.parsed.compare(other.parsed)
}
const number = (name: 'major' | 'minor' | 'patch') => ({
  [`semver_${name}`]: method('semver:int', (_, version: Version) => BigInt(version.parsed[name])),
})

/** Semantic versions: `semver(object.spec.version).isLessThan(semver('2.0.0'))`. */
export const semanticVersions: Library = {
  name: 'semantic versions',
  since: 33,
  types: { semver: structType(typeName, new Map()) },
  functions: {
    semver: {
      string_to_semver: func('string:semver', (work, text: string) => parse(work, text, false)),
      string_bool_to_semver: func('string,bool:semver', parse),
    },
    isSemver: {
      is_semver_string: func('string:bool', (work, text: string) => isVersion(work, text, false)),
      is_semver_string_bool: func('string,bool:bool', isVersion),
    },
    isGreaterThan: {
      semver_is_greater_than: method('semver,semver:bool', (work, one, other) => compare(work, one, other) > 0),
    },
    isLessThan: {
      semver_is_less_than: method('semver,semver:bool', (work, one, other) => compare(work, one, other) < 0),
    },
    compareTo: {
      semver_compare_to: method('semver,semver:int', (work, one, other) => BigInt(compare(work, one, other))),
    },
    major: number('major'),
    minor: number('minor'),
    patch: number('patch'),
  },
}

import { type CelFunc, CelScalar, celFunc, celMethod, mapType } from '@bufbuild/cel'
import { SemVer } from 'semver'
import { contentOf, opaque } from './open-values.js'

const { STRING, BOOL, DYN, INT } = CelScalar
const Map_ = mapType(DYN, DYN)

/** A semantic version. Versions that differ only in build metadata are equal. */
const make = (version: SemVer) => opaque(version, new Map([['version', version.version]])) as never

function parse(text: string, isLenient: boolean): SemVer {
  const strict = isLenient ? normalized(text) : text
  // The library would also accept `v1.0.0` and spaces.
  if (!/^\d\S*$/.test(strict)) throw new Error(`no valid semantic version: ${JSON.stringify(text)}`)
  try {
    return new SemVer(strict)
  } catch {
    throw new Error(`no valid semantic version: ${JSON.stringify(text)}`)
  }
}

/** Removes a leading `v` and leading zeros, and adds missing numbers. */
function normalized(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.')
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length > 0 ? [rest.join('.')] : [])]
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!))
    throw new Error('short version cannot contain PreRelease/Build meta data')
  const filled = [...parts, '0', '0'].slice(0, 3)
  return filled.map(part => part.replace(/^0+(?=\d)/, '')).join('.')
}

function isVersion(text: string, isLenient: boolean): boolean {
  try {
    parse(text, isLenient)
    return true
  } catch {
    return false
  }
}

/** Compares two versions; undefined unless both are versions. */
export function compareVersions(left: unknown, right: unknown): number | undefined {
  const [one, other] = [contentOf(left, SemVer), contentOf(right, SemVer)]
  return one && other && one.compare(other)
}

const part = (name: 'major' | 'minor' | 'patch') =>
  celMethod(name, Map_, [], INT, function (this: unknown) {
    const version = contentOf(this, SemVer)
    if (!version) throw new Error(`no such overload: ${name}`)
    return BigInt(version[name])
  })

/** Semantic versions: `semver(object.spec.version).isLessThan(semver('2.0.0'))`. */
export const versionFunctions: CelFunc[] = [
  celFunc('semver', [STRING], DYN, text => make(parse(text, false))),
  celFunc('semver', [STRING, BOOL], DYN, (text, isLenient) => make(parse(text, isLenient))),
  celFunc('isSemver', [STRING], BOOL, text => isVersion(text, false)),
  celFunc('isSemver', [STRING, BOOL], BOOL, isVersion),
  part('major'),
  part('minor'),
  part('patch'),
]

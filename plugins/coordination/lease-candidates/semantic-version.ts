/** A version as defined by semver.org: three numbers and a pre-release. */
export interface SemanticVersion {
  readonly numbers: readonly [number, number, number]
  readonly preRelease: readonly string[]
}

const number = '(0|[1-9][0-9]*)'
const identifier = '(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)'
const form = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
)
/** Longer texts are rejected. */
const maxLength = 256

export function parseVersion(text: string): SemanticVersion | undefined {
  const found = text.length > maxLength ? null : form.exec(text)
  if (!found) return undefined
  const [, major, minor, patch, preRelease] = found
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  }
}

export const isZeroVersion = (version: SemanticVersion | undefined): boolean =>
  version === undefined || (version.preRelease.length === 0 && version.numbers.every(each => each === 0))

const zero: SemanticVersion = { numbers: [0, 0, 0], preRelease: [] }

/** Negative if the first is older. A missing version counts as 0.0.0. */
export function compareVersions(first: SemanticVersion = zero, second: SemanticVersion = zero): number {
  for (const [index, each] of first.numbers.entries()) {
    const other = second.numbers[index] ?? 0
    if (each !== other) return each - other
  }
  return comparePreReleases(first.preRelease, second.preRelease)
}

/** A pre-release is older than its release; numeric identifiers are older than others. */
function comparePreReleases(first: readonly string[], second: readonly string[]): number {
  if (first.length === 0 || second.length === 0) return second.length - first.length
  for (let index = 0; index < Math.min(first.length, second.length); index++) {
    const [one, other] = [first[index]!, second[index]!]
    if (one === other) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
    if (isNumber && isOtherNumber) return Number(one) - Number(other)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return one < other ? -1 : 1
  }
  return first.length - second.length
}
